// @ts-check
/** Tiếng Việt: the rules of both games, with the words of Golf's own rule page, and questions on codes and scoring. */

/** @type {Record<"golf" | "double" | "questions", import("../../ui/rules/page.js").RulesText>} */
export const rules = {
  golf: {
    title: "Luật chơi Golf",
    summary:
      "7 cột, mỗi cột 5 lá bài ngửa, một chồng bài bỏ, 16 lá trong chồng bài rút. Có thể lấy lá cuối mỗi cột khỏi bàn nếu nó cao hơn hoặc thấp hơn lá trên chồng bài bỏ đúng một bậc, bất kể chất. Khi không có lá nào liền bậc, bạn rút bài. Bạn thắng khi lấy hết 35 lá khỏi bàn.",
    sections: [
      {
        id: "layout",
        heading: "Cách bày bài",
        parts: [
          "Trò chơi dùng bộ 52 lá, không có joker. 35 lá được chia thành 7 cột, mỗi cột 5 lá, tất cả đều ngửa. Một lá được lật lên chồng bài bỏ, 16 lá còn lại nằm úp trong chồng bài rút.",
          { example: "opening", says: "Lúc bắt đầu thế bài này." },
        ],
      },
      {
        id: "moves",
        heading: "Các nước đi hợp lệ",
        parts: [
          "Trong mỗi cột, chỉ lá cuối cùng (lá dưới cùng, không bị lá nào khác đè lên) là tự do. Có thể lấy lá đó khỏi bàn nếu bậc của nó cao hơn hoặc thấp hơn đúng một bậc so với lá trên chồng bài bỏ: trên lá 8, có thể đặt lá 7 hoặc 9. Chất bài không quan trọng. Lá được lấy ra trở thành lá mới trên chồng bài bỏ và giải phóng lá nằm ngay phía trên nó trong cột.",
          "Ví dụ: lúc bắt đầu thế bài GO1-E-AAAAAAB, chồng bài bỏ là lá A♣ và không có lá tự do nào liền bậc. Bạn rút được lá 8♠. Lá 9♣ ở cột 5 được lấy khỏi bàn (cao hơn một bậc), rồi đến lá 8♣ ở cột 2 (thấp hơn lá 9♣ một bậc).",
          { example: "eights", says: "Sau khi lấy 9♣ rồi 8♣." },
          "Một lá không phù hợp sẽ ở nguyên chỗ cũ. Khi bật luật tương tác (thiết lập mặc định), trang giải thích lý do từ chối:",
          {
            list: [
              "lá tự do không liền bậc với lá trên chồng bài bỏ, chẳng hạn lá 6♥ ở cột 1 đặt lên lá A♣: «Phải cao hơn hoặc thấp hơn một bậc»;",
              "lá vẫn bị đè lên, chẳng hạn lá 10♠ ở hàng 4 của cột 1: «Lá bài này đang bị chặn».",
            ],
          },
        ],
      },
      {
        id: "stock",
        heading: "Chồng bài rút",
        parts: [
          "Chạm vào chồng bài rút sẽ lật lá trên cùng sang chồng bài bỏ, thay thế lá hiện tại. Bạn có thể rút bài bất cứ lúc nào, ngay cả khi vẫn còn nước đi hợp lệ. Mỗi lá chỉ được dùng một lần: chồng bài rút không được tái sử dụng. Rút bài được tính là một nước đi và không mang lại điểm.",
        ],
      },
      {
        id: "kings",
        heading: "Vua và át",
        parts: [
          {
            list: [
              "Dễ (E), luật mặc định: vua và át nối nhau. Có thể lấy át khỏi bàn để đặt lên vua, lấy vua để đặt lên át, và một chuỗi có thể đi từ đầm đến vua, rồi đến át và 2.",
              "Cổ điển (C): vua và át tách biệt, dãy dừng ở hai đầu. Trên vua, chỉ có thể đặt đầm; trên át, chỉ có thể đặt 2.",
              "Nghiêm ngặt (S): không đặt lá nào lên vua, và chỉ được rút bài khi không còn nước đi nào.",
            ],
          },
          "Ví dụ ở chế độ Dễ: tại nước 35 của ván thắng, lá A♥ ở cột 3 được lấy khỏi bàn để đặt lên lá K♣. Ở chế độ Cổ điển, nước đi này sẽ bị từ chối.",
          { example: "move35", says: "Trước nước 35: A♥ được đặt lên K♣." },
          "Luật chơi quan trọng không kém các lá bài: cùng một thế bài có thể thắng ở chế độ Dễ nhưng không thể ở chế độ Cổ điển.",
        ],
      },
      {
        id: "end",
        heading: "Kết thúc ván",
        parts: [
          "Ván chơi thắng ngay khi lấy hết 35 lá khỏi bàn, dù chồng bài rút vẫn còn bài. Ván chơi bị bế tắc khi chồng bài rút đã hết và không có lá tự do nào liền bậc với lá trên chồng bài bỏ: «Không còn nước đi nào». Khi đó bạn có thể hoàn tác hoặc chốt với thế bài này; ai chơi một mình còn có thể bắt đầu ván mới.",
        ],
      },
      {
        id: "score",
        heading: "Cách tính điểm",
        parts: [
          "Điểm bắt đầu từ 0 và không bao giờ xuống dưới không:",
          {
            table: [
              ["Sự kiện", "Điểm"],
              ["Một lá được lấy khỏi bàn", "+10"],
              ["Rút bài", "0"],
              ["Ván chơi bị bế tắc: tính cho mỗi lá còn trên bàn", "−10"],
            ],
          },
          "Vì vậy, một ván thắng luôn được 350 điểm (35 × 10); các lá còn trong chồng bài rút không mang lại thêm điểm. Một ván bị bế tắc sau khi lấy r lá khỏi bàn được 10 r − 10 (35 − r) điểm, nhưng không xuống dưới không:",
          {
            list: [
              "Đã lấy 31 lá khỏi bàn, còn 4 lá: 270 điểm;",
              "Đã lấy 30 lá khỏi bàn, còn 5 lá: 250 điểm;",
              "Đã lấy 25 lá khỏi bàn, còn 10 lá: 150 điểm;",
              "Đã lấy 17 lá khỏi bàn, còn 18 lá: 0 điểm.",
            ],
          },
        ],
      },
      {
        id: "undo",
        heading: "Hoàn tác",
        parts: [
          "Có thể hoàn tác 100 thao tác gần nhất, gồm cả lấy bài khỏi bàn và rút bài. Hoàn tác đưa lá bài về vị trí cũ, khôi phục điểm của nước đi và xóa mức phạt nếu ván đã bị bế tắc. Bộ đếm nước đi không giảm. Một cuộc đua có thể cấm hoàn tác, hoặc chỉ cho phép cho đến khi một lá được lật lên.",
        ],
      },
      {
        id: "variants",
        heading: "Luật nghiêm ngặt và các biến thể",
        parts: [
          "Golf không có bộ luật chính thức. Luật truyền thống được gọi là luật nghiêm ngặt khác với luật Dễ, và ở đây có thể chọn tất cả:",
          {
            list: [
              "vua và át không nối nhau: đây là luật Cổ điển;",
              "không đặt lá nào lên vua, kể cả đầm: đây là luật Nghiêm ngặt;",
              "chỉ rút bài khi không còn nước đi nào: cũng là luật Nghiêm ngặt;",
              "cách tính truyền thống: mỗi lá còn lại trên bàn được tính một điểm qua 9 lượt chia, với mức chuẩn là 45, và tổng thấp nhất thắng: hãy chọn mục tiêu “ít lá còn lại nhất” và loạt 9 cuộc;",
              "joker (J1, J2): một hoặc hai lá joker thay thế bất kỳ lá bài nào;",
              "chồng bài bỏ trống (X): ban đầu chồng bài bỏ trống và người chơi chọn lá đầu tiên.",
            ],
          },
        ],
      },
    ],
  },
  double: {
    title: "Luật chơi Double Solitaire",
    summary:
      "Klondike cho một người với hai bộ bài trộn chung, tức 104 lá: 45 lá được chia thành 9 cột, 59 lá còn lại là chồng bài rút. Trong cột, một lá được đặt lên lá khác màu và cao hơn một bậc; cột trống chỉ nhận vua. Bạn thắng khi cả 104 lá đã lên 8 chồng nền, mỗi chất hai chồng, từ át đến vua.",
    sections: [
      {
        id: "layout",
        heading: "Cách bày bài",
        parts: [
          "Hai bộ 52 lá, không có joker, được trộn chung: 104 lá, mỗi lá có hai bản. Chia 9 cột gồm 1, 2, 3, 4, 5, 6, 7, 8 và 9 lá, tổng cộng 45 lá: trong mỗi cột chỉ lá cuối cùng ngửa, 36 lá kia úp. 59 lá còn lại nằm úp trong chồng bài rút. Bên cạnh là chồng bài bỏ, trống, và 8 chồng nền trống.",
        ],
      },
      {
        id: "moves",
        heading: "Các nước đi hợp lệ",
        parts: [
          {
            list: [
              "Trong cột: một lá được đặt lên lá ngửa khác màu (đỏ lên đen, đen lên đỏ) cao hơn đúng một bậc. 7 cơ đặt được lên 8 bích hoặc 8 chuồn.",
              "Chuỗi liền: một lá ngửa được chuyển cùng tất cả các lá nằm trên nó. Chỉ lá đầu của chuỗi phải hợp với cột đích.",
              "Lá đôi: mỗi lá có hai bản, nên một lá 6 đen có bốn chỗ có thể đặt (hai lá 7 cơ và hai lá 7 rô).",
              "Từ chồng bài bỏ: chỉ lá trên cùng được chơi, xuống cột hoặc lên chồng nền của nó.",
              "Lá úp không còn bị đè sẽ tự lật lên và chơi được.",
            ],
          },
          "Bậc đi từ át (thấp nhất) đến vua: át, 2 đến 10, bồi, đầm, vua.",
        ],
      },
      {
        id: "column",
        heading: "Cột trống",
        parts: [
          "Cột trống chỉ nhận vua, một mình hoặc cùng các lá nằm trên nó. Không lá nào khác được vào đó, kể cả để mở một lá úp.",
          { example: "column", says: "Cột 3 trống. Vua cơ trên chồng bài bỏ được vào đó; hãy thử bất kỳ lá nào khác." },
        ],
      },
      {
        id: "foundations",
        heading: "Các chồng nền",
        parts: [
          "Có 8 chồng nền, mỗi chất 2 chồng. Mỗi chồng chỉ nhận một chất: trước hết át, rồi 2, 3 và cứ thế đến vua, mỗi lần một lá. Mỗi chất có hàng riêng với hai chỗ (từ trên xuống: bích, cơ, rô, chuồn): át vào chỗ trống trong hàng của mình, không bao giờ vào hàng của chất khác. Lá được thả ở bất cứ đâu trên vùng chồng nền tự tìm chồng nhận nó; nếu cả hai đều nhận, nó vào chồng đầu của hàng.",
          { example: "aces", says: "Át bích thứ hai vào chỗ thứ hai trong hàng của nó." },
        ],
      },
      {
        id: "stock",
        heading: "Chồng bài rút và các lượt",
        parts: [
          "Chạm vào chồng bài rút sẽ lật bài sang chồng bài bỏ. Có hai cách rút:",
          {
            list: [
              "Rút 1 lá (“Dễ”, D1): mỗi lần một lá; mọi lá của chồng bài rút lần lượt chơi được.",
              "Rút 3 lá (“Khó”, D3): mỗi lần ba lá, xòe ra trên chồng bài bỏ; chỉ lá cuối cùng chơi được, và lá kế tiếp được tự do khi lá đó đã được chơi.",
            ],
          },
          "Khi chồng bài rút đã hết: với cách tính Thường, một lần chạm trả cả chồng bài bỏ về, úp xuống, không giới hạn số lượt; mỗi lần mất 100 điểm. Với cách tính Vegas, chồng bài bỏ không được dùng lại: chồng bài rút chỉ được đi qua một lượt, dù rút 1 hay 3 lá.",
        ],
      },
      {
        id: "end",
        heading: "Kết thúc ván",
        parts: [
          "Ván chơi thắng khi cả 104 lá đã lên các chồng nền. Không ai tuyên bố thua: khi không còn nước đi có ích, bạn hoàn tác, chốt hoặc bỏ cuộc.",
        ],
      },
      {
        id: "hands",
        heading: "Không có gì tự động",
        parts: [
          {
            list: [
              "Không lá nào tự lên chồng nền, và ván không tự kết thúc. Chạm một lần vào lá trên cùng đưa nó lên chồng nền nếu chồng đó nhận; chạm nhanh hai lần (thiết lập “chạm hai lần”, ban đầu bật) rồi tìm chỗ trên bàn: trước hết cột dài nhất, sau đó, với vua, một cột trống. Cũng có thể kéo lá bài.",
              "Lấy lại từ chồng nền: lá trên cùng của chồng nền có thể được kéo về một cột, không được và không mất điểm.",
              "Hoàn tác: 200 thao tác gần nhất; hoàn tác lấy lại điểm của nước đi, nhưng bộ đếm nước đi không giảm.",
            ],
          },
        ],
      },
      {
        id: "score",
        heading: "Cách tính điểm",
        parts: [
          "Cách tính Thường (N):",
          {
            table: [
              ["Nước đi", "Điểm"],
              ["Một lá lên chồng nền (từ cột hoặc từ chồng bài bỏ)", "+10"],
              ["Một lá từ chồng bài bỏ xuống cột", "+5"],
              ["Một lá úp được lật (ngoài nước đi đã mở nó)", "+5"],
              ["Trả chồng bài bỏ về chồng bài rút", "−100"],
              ["Một lá hoặc chuỗi chuyển từ cột này sang cột khác", "0"],
              ["Một lá lấy lại từ chồng nền", "0"],
            ],
          },
          "Điểm bắt đầu từ 0 và không bao giờ xuống dưới 0, nên trả chồng bài bỏ về lúc đầu ván mất ít hơn 100 điểm. Một ván thắng không lấy lại lá nào từ chồng nền luôn gom được 1220 điểm cho 104 lá trên chồng nền và 36 lá được lật, cộng 5 cho mỗi lá từ chồng bài bỏ xuống cột, trừ giá của các lần trả bài.",
          "Cách tính Vegas (V):",
          {
            table: [
              ["Lúc", "Đô la"],
              ["Bắt đầu", "−104 $"],
              ["Mỗi lá lên chồng nền", "+5 $"],
              ["Mọi thứ khác (lá được lật, chồng bài bỏ, cột)", "0 $"],
            ],
          },
          "Không có giới hạn dưới: điểm còn âm khi có nhiều nhất 20 lá trên chồng nền, và thành dương từ lá thứ 21. Một ván thắng không lấy lại lá nào kết thúc với +416 $. Điểm được hiện bằng đô la: “$416”, “$0” hoặc “-$104”.",
        ],
      },
    ],
  },
  questions: {
    title: "Hỏi và đáp",
    summary: "Mã ván chơi là gì, nó chia bài thế nào, và các cuộc đua được tính điểm ra sao.",
    sections: [
      {
        id: "code",
        heading: "Mã ván chơi là gì?",
        parts: [
          "Tên của một thế bài: ai chơi GO1-E-AAAAAAB đều nhận đúng những lá bài ấy, hôm nay và mười năm nữa. Hãy gõ nó ở sảnh, gửi cho bạn bè, hoặc đua trên thế bài người khác đã chơi.",
        ],
      },
      {
        id: "letters",
        heading: "Các chữ của mã có nghĩa gì?",
        parts: [
          {
            table: [
              ["Phần", "Nghĩa"],
              ["GO1, DS1", "Trò chơi, Golf hoặc Double Solitaire, và cách xáo bài"],
              ["E, C, S", "Luật của Golf: Dễ, Cổ điển hoặc Nghiêm ngặt. Mã cũ có chữ N được hiểu là Dễ"],
              ["J1, J2, X", "Golf: một hoặc hai joker; chồng bài bỏ trống"],
              ["D1, D3", "Double Solitaire: rút 1 hoặc 3 lá"],
              ["N, V", "Double Solitaire: cách tính Thường hoặc Vegas"],
              ["O", "Double Solitaire: một lá chỉ được điểm lần đầu lên chồng nền"],
              ["AAAAAAB", "Thế bài nào: bảy ký tự trong các chữ A–Z và số 2–7"],
            ],
          },
          "Cách viết không quan trọng: chữ thường, dấu cách, thiếu gạch nối, 0 thay cho O, 1 thay cho I và 8 thay cho B đều được hiểu.",
        ],
      },
      {
        id: "rule",
        heading: "Luật có làm thay đổi các lá bài không?",
        parts: ["Không. Cùng bảy chữ ấy chia cùng những lá bài theo mọi luật. Chỉ joker, vì được trộn vào bộ bài, mới làm thay đổi thế bài."],
      },
      {
        id: "app",
        heading: "Mã lấy từ ứng dụng có chia các lá bài của ứng dụng không?",
        parts: [
          "Chỉ khi thế bài đó đã được công bố, như GO1-E-AAAAAAB: ứng dụng không nói nó xáo bài thế nào. Trang của mã cho biết mã đã được công bố hay chưa. Mọi thế bài khác có thể mang đến bằng mã nguyên văn (GO0-…, DS0-…), ghi chính các lá bài.",
        ],
      },
      {
        id: "long",
        heading: "Vì sao một số mã dài hơn nhiều?",
        parts: [
          "Mã 26 chữ là của một thế bài niêm phong: có nhiều đến mức không ai thử trước được. Máy chủ đưa ra một cam kết trước cuộc đua và mã sau đó, nên ai cũng kiểm tra được rằng các lá bài không bị đổi. Mã từ 46 chữ trở lên là mã nguyên văn.",
        ],
      },
      {
        id: "win",
        heading: "Một ván thắng được bao nhiêu điểm?",
        parts: [
          "Ở Golf luôn là 350. Ở Double Solitaire là 1220 trở lên với cách tính Thường, và 416 $ với cách tính Vegas, nếu không lấy lại lá nào từ chồng nền.",
        ],
      },
      {
        id: "ends",
        heading: "Trong cuộc đua, ván kết thúc sớm được tính điểm thế nào?",
        parts: [
          "Ở Golf như thể đã bế tắc, dù kết thúc cách nào: chốt, bỏ cuộc, hết giờ hay rời đi, mỗi lá còn lại mất 10 điểm, không dưới 0. Nếu không, ai cũng sẽ dừng trước khi bế tắc một lần rút. Ở Double Solitaire điểm được tính như đang có.",
        ],
      },
      {
        id: "equal",
        heading: "Ai đứng đầu khi điểm bằng nhau?",
        parts: ["Người có nước đi được điểm cuối cùng sớm hơn. Nếu vẫn bằng nhau thì cùng hạng. Với mục tiêu “ít nước đi nhất”, những người lấy hết bài đứng trước, ít nước đi hơn là tốt hơn."],
      },
      {
        id: "twice",
        heading: "Đưa một lá lên nhiều lần có được điểm nhiều lần không?",
        parts: [
          "Không, trong cuộc đua tính điểm: ở đó mọi ván Double Solitaire đều chơi với tùy chọn O, theo đó một lá chỉ được điểm khi đưa chồng nền lên cao hơn mức đã từng có trong ván.",
        ],
      },
      {
        id: "undo",
        heading: "Hoàn tác ảnh hưởng đến điểm thế nào?",
        parts: [
          "Nó khôi phục chính xác điểm trước nước đi, kể cả mức phạt bế tắc và giá của lần trả bài. Số nước đi giữ nguyên: nó đếm các lần lấy bài, rút bài và chuyển bài, không đếm hoàn tác và từ chối.",
        ],
      },
      {
        id: "peek",
        heading: "Người khác có thấy bài của tôi trong cuộc đua không?",
        parts: [
          "Các chỗ khác thấy bạn đã đến đâu, không bao giờ thấy bài của bạn: mọi người có cùng thế bài, nên mỗi bàn đều tiết lộ các bàn khác. Khán giả thấy bàn bài nếu cuộc đua cho phép; ai đang đua thì không được xem cuộc đua đó.",
        ],
      },
      {
        id: "rated",
        heading: "Cuộc đua nào được tính điểm xếp hạng?",
        parts: ["Đua nhanh mà cả hai đều yêu cầu tính điểm, giữa những người đã đăng ký tên. Các cuộc đua này luôn niêm phong, và hoàn tác dừng ở lá đã lật."],
      },
    ],
  },
};
