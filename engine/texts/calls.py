"""Why a call is refused, where its code says too little to a person at the page: in every language, side by side."""

from __future__ import annotations

from typing import Final

from engine.refusals import ErrorCode

__all__ = ["CALLS", "call_text"]

CALLS: Final = {
    (ErrorCode.BAD_FRAME, "bots"): {
        "en": "These bots cannot race here.",
        "hu": "Ezek a botok itt nem versenyezhetnek.",
        "vi": "Các bot này không thể đua ở đây.",
    },
    (ErrorCode.BAD_FRAME, "seats"): {
        "en": "A race has 1 to 100 seats.",
        "hu": "Egy versenyben 1–100 hely lehet.",
        "vi": "Một cuộc đua có từ 1 đến 100 chỗ.",
    },
    (ErrorCode.BAD_FRAME, "code"): {
        "en": "This code cannot be raced so.",
        "hu": "Ez a kód így nem versenyezhető: 7 betűs vagy teljes leosztást leíró kód kell, szellem ellen a szellem "
        "leosztásának kódja; lepecsételt és értékelt versenyhez nem adható meg kód.",
        "vi": "Không thể đua với mã này như vậy: cần mã 7 chữ hoặc mã ghi cả ván bài; đua với bóng ma thì cần mã ván "
        "của bóng ma; đua niêm phong và đua tính điểm không nhận mã.",
    },
    (ErrorCode.BAD_FRAME, "challenge"): {
        "en": "A challenge is for two players; other seats are for bots.",
        "hu": "A kihívás két játékosnak szól; a többi hely botoké.",
        "vi": "Lời thách đấu dành cho hai người chơi; các chỗ khác là của bot.",
    },
    (ErrorCode.BAD_FRAME, "yourself"): {
        "en": "You cannot challenge yourself.",
        "hu": "Saját magadat nem hívhatod ki.",
        "vi": "Bạn không thể thách đấu chính mình.",
    },
    (ErrorCode.BAD_FRAME, "player"): {
        "en": "There is no such player.",
        "hu": "Nincs ilyen játékos.",
        "vi": "Không có người chơi này.",
    },
    (ErrorCode.BAD_FRAME, "name"): {
        "en": "This name is not to be had.",
        "hu": "Ez a név nem szabad.",
        "vi": "Không thể dùng tên này.",
    },
    (ErrorCode.FORBIDDEN, "name"): {
        "en": "This name is somebody's.",
        "hu": "Ez a név valaki másé.",
        "vi": "Tên này là của người khác.",
    },
    (ErrorCode.FORBIDDEN, "link"): {
        "en": "This link is not good any more.",
        "hu": "Ez a hivatkozás már nem érvényes.",
        "vi": "Liên kết này không còn dùng được.",
    },
    (ErrorCode.UNKNOWN_CODE, "pool"): {
        "en": "There is no such ladder.",
        "hu": "Nincs ilyen ranglista.",
        "vi": "Không có bảng xếp hạng này.",
    },
    (ErrorCode.BUSY, "bots"): {
        "en": "Too many bots play or wait in your races.",
        "hu": "Túl sok bot játszik vagy vár a versenyeidben: előbb fejezz be vagy mondj le néhányat.",
        "vi": "Quá nhiều bot đang chơi hoặc chờ trong các cuộc đua của bạn: hãy kết thúc hoặc huỷ bớt.",
    },
    (ErrorCode.BUSY, "challenges"): {
        "en": "Too many challenges; please wait a few minutes.",
        "hu": "Túl sok a kihívás; kérjük, várj néhány percet.",
        "vi": "Có quá nhiều lời thách đấu; vui lòng chờ vài phút.",
    },
    (ErrorCode.BUSY, "winnable"): {
        "en": "No deal that is proved winnable is ready.",
        "hu": "Nincs most kész, bizonyítottan nyerhető leosztás; kérjük, próbáld újra később.",
        "vi": "Hiện chưa có ván nào được chứng minh là thắng được; vui lòng thử lại sau.",
    },
}
"""Code and reason → language → sentence."""


def call_text(code: ErrorCode, reason: str | None, language: str) -> str | None:
    """Return why a call is refused in a language of `LANGUAGES`; None where the code's own text says it."""
    said = CALLS.get((code, reason or ""))
    return None if said is None else said[language]
