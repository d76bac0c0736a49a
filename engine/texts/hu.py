"""Hungarian; the first words of Golf's refusals are the source page's own."""

from __future__ import annotations

from typing import Final

TEXTS: Final = {
    "bad_move": "Ez nem lépés ebben a játékban.",
    "nothing_to_undo": "Nincs mit visszavonni.",
    "game_over": "A játszma véget ért.",
    "no_moves": "Nincs több lehetséges lépés",
    "stock_empty": "A húzópakli üres.",
    "draw_not_allowed": "Csak akkor lehet húzni, ha nincs lehetséges lépés.",
    "column_empty": "Itt nincs lap.",
    "blocked": "Ez a lap blokkolva van",
    "not_adjacent": "Eggyel magasabb vagy alacsonyabb rangúnak kell lennie",
    "bad_frame": "Az üzenet nem olvasható.",
    "auth": "Kérjük, jelentkezz be újra.",
    "not_seated": "Nincs helyed ebben a versenyben.",
    "full": "Minden hely foglalt.",
    "not_started": "A verseny még nem kezdődött el.",
    "over": "Ehhez már késő.",
    "stale_lane": "Ennek a lépésnek a száma nem az utolsó lépésed után következik.",
    "illegal": "Ez a lépés nem megengedett.",
    "rate": "Túl gyors; kérjük, várj egy kicsit.",
    "busy": "A kiszolgáló túlterhelt; kérjük, próbáld újra.",
    "unavailable": "Az eredmény még nem ismert; kérjük, küldd el újra ugyanezt.",
    "version": "Ezt a változatot itt nem ismerjük.",
    "unknown_race": "Nincs ilyen verseny.",
    "unknown_code": "Ez nem játszmakód.",
    "forbidden": "Ezt nem teheted.",
    "not_yours": "Ezt csak az teheti, aki a versenyt kiírta.",
    "starts_by_itself": "Ez a verseny akkor indul, amikor mindenki kész.",
    "nobody_seated": "Még senki sem ült le.",
    "awaited": "Még nem jött el mindenki, akinek ez a verseny szól.",
    "daily": "A nap leosztását mindenki egyedül játssza, és nem mondható le.",
    "watch_off": "Ezt a versenyt nem lehet nézni.",
    "seat_open": "Te is versenyzel itt: akkor nézheted, ha a te játszmád véget ért.",
    "not_over": "A verseny még nem ért véget.",
    "voided": "Ez a verseny nem számít.",
    "no_hints": "Tippet csak egyszemélyes, nem értékelt versenyben lehet kérni.",
    "scope": "Ezzel a belépéssel csak nézni lehet.",
    "banned": "Ezt a játékost kitiltották.",
}
