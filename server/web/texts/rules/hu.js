// @ts-check
/** Magyar: the rules of both games, with the words of the games' own rule pages, and questions on codes and scoring. */

/** @type {Record<"golf" | "double" | "questions", import("../../ui/rules/page.js").RulesText>} */
export const rules = {
  golf: {
    title: "A Golf szabályai",
    summary:
      "7 oszlop, egyenként 5 látható lappal, egy dobópakli, 16 lap a húzópakliban. Minden oszlop utolsó lapja akkor távolítható el, ha a rangja eggyel magasabb vagy alacsonyabb a dobópakli felső lapjáénál, a kártyaszíntől függetlenül. Ha nincs rátehető lap, húzunk. A játéktér 35 lapjának eltávolításával nyerünk.",
    sections: [
      {
        id: "layout",
        heading: "A kezdőállás",
        parts: [
          "A játékhoz 52 lapos paklit használunk, dzsóker nélkül. 35 lapot osztunk 7 oszlopba, oszloponként 5 lappal, mindet képpel felfelé. Egy lapot felfordítunk a dobópaklira, a megmaradt 16 lap pedig képpel lefelé a húzópakliba kerül.",
          { example: "opening", says: "Ennek a leosztásnak a kezdőállása." },
        ],
      },
      {
        id: "moves",
        heading: "A megengedett lépések",
        parts: [
          "Minden oszlopban csak az utolsó lap szabad (a legalsó, amelyet egyetlen másik lap sem takar). Akkor távolítható el, ha a rangja pontosan eggyel magasabb vagy alacsonyabb a dobópakli felső lapjáénál: 8 lapra 7 vagy 9 tehető. A kártyaszín nem számít. Az eltávolított lap lesz a dobópakli új felső lapja, és felszabadítja az oszlopban közvetlenül fölötte lévő lapot.",
          "Példa: a GO1-E-AAAAAAB leosztás kezdetén a dobópaklin A♣ van, és egyetlen szabad lap sem tehető rá. Húzunk egy lapot: 8♠. Az 5. oszlop 9♣ lapja eltávolítható (eggyel magasabb rangú), majd a 2. oszlop 8♣ lapja is (eggyel alacsonyabb rangú, mint 9♣).",
          { example: "eights", says: "9♣, majd 8♣ eltávolítása után." },
          "Egy nem megfelelő lap a helyén marad. Az interaktív szabályok bekapcsolásával (ez az alapbeállítás) az oldal elmagyarázza az elutasítás okát:",
          {
            list: [
              "a dobópaklira nem illő szabad lap esetén, például ha az 1. oszlop 6♥ lapját próbáljuk a A♣ lapra tenni: „Eggyel magasabb vagy alacsonyabb rangúnak kell lennie”;",
              "egy még takart lap esetén, például az 1. oszlop 4. sorában lévő 10♠ lapnál: „Ez a lap blokkolva van”.",
            ],
          },
        ],
      },
      {
        id: "stock",
        heading: "A húzópakli",
        parts: [
          "A húzópakli megérintésével annak legfelső lapja felfordítva a dobópaklira kerül, és átveszi a felső lap helyét. Bármikor lehet húzni, akkor is, ha még van lehetséges lépés. Minden lap csak egyszer használható fel: a húzópakli nem forgatható újra. A húzás egy lépésnek számít, és nem ad pontot.",
        ],
      },
      {
        id: "kings",
        heading: "A király és az ász",
        parts: [
          {
            list: [
              "Könnyű (E), az alapértelmezett szabály: a király és az ász összekapcsolva. Ász eltávolítható királyra, király pedig ászra, így egy lánc a dámáról a királyra, majd az ászra és a 2 lapra folytatódhat.",
              "Klasszikus (C): a király és az ász külön, a sorozat mindkét végén megáll. Királyra csak dáma távolítható el, ászra pedig csak 2.",
              "Szigorú (S): királyra semmilyen lap nem tehető, és csak akkor lehet húzni, ha nincs lehetséges lépés.",
            ],
          },
          "Példa Könnyű módban: a megnyert játszma 35. lépésében a 3. oszlop A♥ lapja a K♣ lapra kerül. Klasszikus módban ezt a lépést elutasítanánk.",
          { example: "move35", says: "A 35. lépés előtt: A♥ a K♣ lapra kerül." },
          "A szabály éppannyira számít, mint a lapok: ugyanaz a leosztás Könnyű módban megnyerhető lehet, Klasszikus módban viszont nem.",
        ],
      },
      {
        id: "end",
        heading: "A játszma vége",
        parts: [
          "A játszmát megnyertük, amint a játéktér mind a 35 lapját eltávolítottuk, akkor is, ha maradtak lapok a húzópakliban. A játszma elakadt, ha a húzópakli üres, és egyetlen szabad lap sem tehető a dobópaklira: „Nincs több lehetséges lépés”. Ekkor visszavonhatunk, vagy lezárhatjuk a játszmát ezzel az állással; aki egyedül játszik, új leosztással is folytathatja.",
        ],
      },
      {
        id: "score",
        heading: "A pontozás",
        parts: [
          "A pontszám 0 értékről indul, és soha nem csökken nulla alá:",
          {
            table: [
              ["Mi történik", "Pontok"],
              ["Egy lapot eltávolítunk a játéktérről", "+10"],
              ["Húzunk", "0"],
              ["A játszma elakad: minden játéktéren maradt lapért", "−10"],
            ],
          },
          "Egy megnyert játszma tehát mindig 350 pontot ér (35 × 10); a húzópakliban maradt lapokért nem jár további pont. Egy r lap eltávolítása után elakadt játszma pontszáma 10 r − 10 (35 − r), de nem csökkenhet nulla alá:",
          {
            list: [
              "31 eltávolított lap, 4 megmaradt: 270 pont;",
              "30 eltávolított lap, 5 megmaradt: 250 pont;",
              "25 eltávolított lap, 10 megmaradt: 150 pont;",
              "17 eltávolított lap, 18 megmaradt: 0 pont.",
            ],
          },
        ],
      },
      {
        id: "undo",
        heading: "Visszavonás",
        parts: [
          "Az utolsó 100 művelet vonható vissza, a lapeltávolítások és a húzások is. A visszavonás visszateszi a lapot a helyére, visszaállítja a lépés előtti pontszámot, elakadás után pedig eltörli a büntetést. A lépésszámláló nem csökken. Egy verseny megtilthatja a visszavonást, vagy csak addig engedi, amíg lapot nem fordítottunk fel.",
        ],
      },
      {
        id: "variants",
        heading: "A szigorú szabály és a változatok",
        parts: [
          "A Golf játéknak nincs hivatalos szabályzata. A hagyományos, szigorúnak nevezett szabály eltér a Könnyűtől, és itt minden része választható:",
          {
            list: [
              "a király és az ász nincs összekapcsolva: ez a Klasszikus szabály;",
              "királyra semmilyen lap nem tehető, dáma sem: ez a Szigorú szabály;",
              "csak akkor lehet húzni, ha nincs lehetséges lépés: ez is a Szigorú szabály;",
              "pontozás: a játéktéren maradt minden lapért egy pont, 9 leosztáson át, 45 parértékkel, és a legkevesebb győz: válaszd „a legkevesebb megmaradt lap” célt és a 9 versenyből álló sorozatot;",
              "dzsókerek (J1, J2): egy vagy két dzsóker bármelyik lapot helyettesíti;",
              "üres dobópakli (X): a dobópakli kezdetben üres, és az első lapot a játékos választja ki.",
            ],
          },
        ],
      },
    ],
  },
  double: {
    title: "A Double Solitaire szabályai",
    summary:
      "Ez az egyedül játszott Klondike két összekevert paklival, azaz 104 lappal: 45-öt 9 oszlopba osztunk ki, a másik 59 alkotja a húzópaklit. Egy oszlopban a lap az ellenkező színű, egy ranggal magasabb lapra tehető; az üres oszlopba csak király kerülhet. Akkor nyerünk, ha mind a 104 lap felkerült a 8 alapkupacra, színenként kettőre, az ásszal kezdve a királyig.",
    sections: [
      {
        id: "layout",
        heading: "Az előkészületek",
        parts: [
          "Két 52 lapos paklit, dzsóker nélkül, összekeverünk: 104 lap, mindegyik két példányban. 9 oszlopot osztunk ki 1, 2, 3, 4, 5, 6, 7, 8 és 9 lappal, összesen 45 lapot: minden oszlopban csak az utolsó lap néz felfelé, a másik 36 le van fordítva. A megmaradt 59 lap alkotja a húzópaklit, lefordítva. Mellette van a dobópakli, üresen, és 8 üres alapkupac.",
        ],
      },
      {
        id: "moves",
        heading: "Megengedett lépések",
        parts: [
          {
            list: [
              "Oszlopon: egy lap az ellenkező színű (piros a feketére, fekete a pirosra), pontosan eggyel magasabb rangú felfordított lapra tehető. A kőr 7 a pikk vagy treff 8-asra kerülhet.",
              "Egybefüggő sor: egy oszlop felfordított lapja a rátett összes lappal együtt mozdítható. Csak a sor első lapjának kell illeszkednie a célzott oszlophoz.",
              "Kettős lapok: minden lap kétszer van meg, így egy fekete 6-osnak négy lehetséges helye van (a két kőr 7 és a két káró 7).",
              "A dobópaklitól: csak a legfelső lap játszható ki, oszlopra vagy a saját alapkupacára.",
              "A felfedett lefordított lap magától felfordul, és játszhatóvá válik.",
            ],
          },
          "A rang az ásztól (a legkisebb) a királyig megy: ász, 2–10, bubi, dáma, király.",
        ],
      },
      {
        id: "column",
        heading: "Az üres oszlop",
        parts: [
          "Az üres oszlop csak királyt fogad, egyedül vagy a rátett lapokkal együtt. Más lap nem kerülhet oda, még akkor sem, ha egy lefordított lapot fedne fel.",
          { example: "column", says: "A 3. oszlop üres. A dobópakli kőr királya odakerülhet; próbálj meg bármely más lapot." },
        ],
      },
      {
        id: "foundations",
        heading: "Az alapkupacok",
        parts: [
          "8 alapkupac van, színenként 2. Mindegyik csak egy színt fogad: először az ászt, aztán a 2-est, a 3-ast és így tovább a királyig, egyszerre egy lapot. Minden színnek saját sora van két hellyel (fentről lefelé pikk, kőr, káró, treff): az ász a saját sorának egy üres helyére kerül, soha nem másik szín sorába. Az alapkupacok területén bárhol elengedett lap magától megtalálja az őt fogadó alapkupacot; ha kettő is van, a sor elsőjére kerül.",
          { example: "aces", says: "A második pikk ász a sorának második helyére kerül." },
        ],
      },
      {
        id: "stock",
        heading: "A húzópakli és a körök",
        parts: [
          "A húzópaklira koppintva lapokat fordítunk át a dobópaklira. Kétféle húzás választható:",
          {
            list: [
              "1 lapos húzás („Könnyű”, D1): egyszerre egy lap; a húzópakli minden lapja sorra kijátszható.",
              "3 lapos húzás („Nehéz”, D3): egyszerre három lap, szétterítve a dobópaklin; csak a legutolsó játszható ki, és a következő akkor szabadul fel, ha azt kijátszottuk.",
            ],
          },
          "Ha a húzópakli kiürült: Normál pontozásnál egy koppintás az egész dobópaklit visszateszi a húzópaklira lefordítva, és újrakezdhetjük, a körök száma nem korlátozott; minden újrahasznosítás 100 pontba kerül. Vegas pontozásnál a dobópakli nem hasznosítható újra: a húzópaklin csak egyszer megyünk végig, 1 és 3 lapos húzásnál is.",
        ],
      },
      {
        id: "end",
        heading: "A játszma vége",
        parts: [
          "A játszma megnyert, ha mind a 104 lap az alapkupacokon van. Senki sem mond ki vereséget: ha már nincs hasznos lépés, lépéseket vonunk vissza, lezárjuk vagy feladjuk a játszmát.",
        ],
      },
      {
        id: "hands",
        heading: "Nincs automatika",
        parts: [
          {
            list: [
              "Egyetlen lap sem megy magától az alapkupacra, és a játszma sem fejeződik be magától. Egy koppintás a legfelső lapra az alapkupacra küldi, ha az fogadja; két gyors koppintás („Dupla koppintás” beállítás, alapból bekapcsolva) ezután helyet keres az asztalon (előbb a leghosszabb oszlopot, majd királynak egy üres oszlopot). A lapokat húzással is mozgathatjuk.",
              "Lap visszavétele az alapkupacról: az alapkupac legfelső lapját húzással visszavehetjük és az asztalra tehetjük, pontot nem nyerve és nem veszítve.",
              "Visszavonás: a legutóbbi 200 művelet; a visszavonás elveszi a visszavont lépés pontjait, de a lépésszámláló nem csökken.",
            ],
          },
        ],
      },
      {
        id: "score",
        heading: "A pontozás",
        parts: [
          "Normál pontozás (N):",
          {
            table: [
              ["Lépés", "Pont"],
              ["Alapkupacra tett lap (oszlopról vagy a dobópaklitól)", "+10"],
              ["Dobópaklitól oszlopra tett lap", "+5"],
              ["Felfordított lefordított lap (az azt felfedő lépés mellett)", "+5"],
              ["A húzópaklira visszatett dobópakli", "−100"],
              ["Egy oszlopról másikra mozgatott lap vagy sor", "0"],
              ["Alapkupacról visszavett lap", "0"],
            ],
          },
          "A pontszám 0-ról indul, és soha nem megy 0 alá: a játszma elején végzett újrahasznosítás ezért kevesebb mint 100 pontba kerül. Az alapkupacról való visszavétel nélkül megnyert játszma mindig 1220 pontot gyűjt a 104 alapkupacon lévő lapért és a 36 felfordított lapért, plusz 5-öt minden dobópaklitól oszlopra tett lapért, mínusz az újrahasznosítások.",
          "Vegas pontozás (V):",
          {
            table: [
              ["Pillanat", "Dollár"],
              ["Induláskor", "−104 $"],
              ["Minden alapkupacra rakott lap", "+5 $"],
              ["Minden más (felfordított lapok, dobópakli, oszlopok)", "0 $"],
            ],
          },
          "Nincs alsó határ: a pontszám negatív marad, amíg legfeljebb 20 lap van az alapkupacokon, és a 21. lapnál válik pozitívvá. Az alapkupacról visszavétel nélkül megnyert játék +416 $-ral végződik. A pontszám dollárban jelenik meg: „$416”, „$0” vagy „-$104”.",
        ],
      },
    ],
  },
  questions: {
    title: "Kérdések és válaszok",
    summary: "Mi a játszmakód, hogyan osztja ki a lapokat, és hogyan pontozzuk a versenyeket.",
    sections: [
      {
        id: "code",
        heading: "Mi a játszmakód?",
        parts: [
          "Egy leosztás neve: aki a GO1-E-AAAAAAB kódot játssza, pontosan ugyanazokat a lapokat kapja, ma és tíz év múlva is. Írd be az előszobában, küldd el egy barátodnak, vagy versenyezz azon, amit más már játszott.",
        ],
      },
      {
        id: "letters",
        heading: "Mit jelentenek a betűi?",
        parts: [
          {
            table: [
              ["Rész", "Jelentés"],
              ["GO1, DS1", "A játék, Golf vagy Double Solitaire, és a keverés módja"],
              ["E, C, S", "A Golf szabálya: Könnyű, Klasszikus vagy Szigorú. A régi, N betűs kódokat Könnyű módként értelmezzük"],
              ["J1, J2, X", "Golf: egy vagy két dzsóker; üres dobópakli"],
              ["D1, D3", "Double Solitaire: 1 vagy 3 lapos húzás"],
              ["N, V", "Double Solitaire: Normál vagy Vegas pontozás"],
              ["O", "Double Solitaire: egy lap csak az első felrakáskor ér pontot"],
              ["AAAAAAB", "Melyik leosztás: hét jel az A–Z betűk és a 2–7 számjegyek közül"],
            ],
          },
          "Az írásmód nem számít: a kisbetűket, a szóközöket, a hiányzó kötőjeleket, az O helyett írt 0-t, az I helyett írt 1-et és a B helyett írt 8-at is értjük.",
        ],
      },
      {
        id: "rule",
        heading: "Változnak a lapok a szabállyal?",
        parts: ["Nem. Ugyanaz a hét betű minden szabály mellett ugyanazokat a lapokat osztja ki. Csak a dzsókerek változtatnak a leosztáson, mert bekerülnek a pakliba."],
      },
      {
        id: "app",
        heading: "Az alkalmazás kódja itt is az alkalmazás lapjait osztja ki?",
        parts: [
          "Csak ha azt a leosztást közzétették, mint a GO1-E-AAAAAAB kódét: az alkalmazás nem árulja el, hogyan kever. A kód oldala megmondja, hogy közzétett-e. Bármely más leosztás elhozható szó szerinti kóddal (GO0-…, DS0-…), amely a lapokat magukat írja le.",
        ],
      },
      {
        id: "long",
        heading: "Miért sokkal hosszabb némelyik kód?",
        parts: [
          "A 26 betűs kód egy lepecsételt leosztásé: olyan sok van belőlük, hogy előre senki sem próbálhatta ki. A kiszolgáló a verseny előtt megmutat egy kötelezvényt, utána pedig a kódot, így bárki ellenőrizheti, hogy a lapok nem változtak. A 46 betűs és hosszabb kódok szó szerintiek.",
        ],
      },
      {
        id: "win",
        heading: "Hány pontot ér a győzelem?",
        parts: [
          "A Golfban mindig 350-et. A Double Solitaire-ben Normál pontozással 1220-at vagy többet, Vegas pontozással 416 $-t, ha az alapkupacról semmit sem vettünk vissza.",
        ],
      },
      {
        id: "ends",
        heading: "Hogyan pontozzuk a versenyben hamarabb véget ért játszmát?",
        parts: [
          "A Golfban úgy, mintha elakadt volna, akárhogyan ért véget: lezárás, feladás, lejárt idő vagy távozás után minden megmaradt lap 10 pontba kerül, legfeljebb 0-ig. Különben mindenki egy húzással az elakadás előtt állna meg. A Double Solitaire-ben a pontszám úgy számít, ahogyan áll.",
        ],
      },
      {
        id: "equal",
        heading: "Ki az első, ha a pontszámok egyenlők?",
        parts: ["Akinek az utolsó pontot érő lépése korábbi volt. Ami még így is egyenlő, osztozik a helyezésen. „A legkevesebb lépés” célnál azok vannak elöl, akik kiürítették a játékteret, köztük a legkevesebb lépés a legjobb."],
      },
      {
        id: "twice",
        heading: "Ér-e pontot újra és újra ugyanaz a felrakott lap?",
        parts: [
          "Pontszámra menő versenyben nem: ott minden Double Solitaire játszma az O kiegészítéssel folyik, amely szerint egy lap csak akkor ér pontot, ha az alapkupacok magasabbra jutnak vele, mint ebben a játszmában valaha.",
        ],
      },
      {
        id: "undo",
        heading: "Mit tesz a visszavonás a pontszámmal?",
        parts: [
          "Pontosan visszaállítja a lépés előtti pontszámot, az elakadás büntetését és az újrahasznosítás árát is. A lépések száma marad: az eltávolításokat, húzásokat és áttevéseket számolja, a visszavonásokat és az elutasításokat nem.",
        ],
      },
      {
        id: "peek",
        heading: "Láthatják mások a lapjaimat verseny közben?",
        parts: [
          "A többiek azt látják, meddig jutottál, a lapjaidat soha: mindenkinek ugyanaz a leosztása, így minden játéktér elárulná a többit. A nézők látják a lapokat, ha a verseny engedi; aki versenyzik, nem nézheti azt a versenyt.",
        ],
      },
      {
        id: "rated",
        heading: "Melyik verseny értékelt?",
        parts: ["A gyors verseny, ha mindketten értékeltet kértek, és a nevük lefoglalt. Ezek mindig lepecsételtek, és a visszavonás megáll a felfordított lapnál."],
      },
    ],
  },
};
