"""Vietnamese; the first words of Golf's refusals are the source page's own."""

from __future__ import annotations

from typing import Final

TEXTS: Final = {
    "bad_move": "Đây không phải là nước đi của trò chơi.",
    "nothing_to_undo": "Không có gì để hoàn tác.",
    "game_over": "Ván chơi đã kết thúc.",
    "no_moves": "Không còn nước đi nào",
    "stock_empty": "Chồng bài rút đã hết.",
    "draw_not_allowed": "Chỉ được rút bài khi không còn nước đi nào.",
    "column_empty": "Ở đây không có lá bài nào.",
    "blocked": "Lá bài này đang bị chặn",
    "not_adjacent": "Phải cao hơn hoặc thấp hơn một bậc",
    "bad_frame": "Không đọc được thông điệp.",
    "auth": "Vui lòng đăng nhập lại.",
    "not_seated": "Bạn không có chỗ trong cuộc đua này.",
    "full": "Tất cả các chỗ đã có người.",
    "not_started": "Cuộc đua chưa bắt đầu.",
    "over": "Đã quá muộn cho việc này.",
    "stale_lane": "Số thứ tự của nước đi này không nối tiếp nước đi trước của bạn.",
    "illegal": "Nước đi này không hợp lệ.",
    "rate": "Quá nhanh; vui lòng chờ một chút.",
    "busy": "Máy chủ đang bận; vui lòng thử lại.",
    "unavailable": "Chưa biết kết quả; vui lòng gửi lại đúng như vậy.",
    "version": "Phiên bản này không được hỗ trợ ở đây.",
    "unknown_race": "Không có cuộc đua này.",
    "unknown_code": "Đây không phải là mã ván chơi.",
    "forbidden": "Bạn không được phép làm việc này.",
    "not_yours": "Chỉ người đã mở cuộc đua mới được làm việc này.",
    "starts_by_itself": "Cuộc đua này bắt đầu khi tất cả đã sẵn sàng.",
    "nobody_seated": "Chưa có ai ngồi vào chỗ.",
    "awaited": "Người mà cuộc đua này dành cho vẫn chưa đến.",
    "daily": "Ván bài trong ngày dành cho một người chơi và không thể huỷ.",
    "watch_off": "Không được xem cuộc đua này.",
    "seat_open": "Bạn đang đua ở đây: bạn có thể xem khi ván của bạn đã kết thúc.",
    "not_over": "Cuộc đua chưa kết thúc.",
    "voided": "Cuộc đua này không được tính.",
    "no_hints": "Chỉ có gợi ý trong cuộc đua một chỗ, không xếp hạng.",
    "scope": "Bạn chỉ được phép xem.",
    "banned": "Người chơi này đã bị cấm.",
}
