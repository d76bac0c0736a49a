"""Letters and digits of all scripts that are drawn like Latin ones, by code point.

After confusables.txt of UTS #39 (© 1991-2020 Unicode, Inc., https://www.unicode.org/license.txt), taken from what looks
alike in either case, as far as it is a Latin letter, a digit, or two of them that it looks like. Some small letters of
Greek and Cyrillic are added that are drawn small in a capital's shape.
"""

from __future__ import annotations

from typing import Final

__all__ = ["ALIKE"]

_DRAWN_AS: Final = {
    "2": "01a7 01a8 03e8 03e9 14bf a644 a645 a6ef a75a a75b",
    "3": "01b7 021c 021d 025c 0292 0417 0437 04e0 04e1 2ccc 2ccd a76a a76b a7ab 118ca 16f3b",
    "4": "13ce ab9e 118af 118cf",
    "5": "01bc 118bb 118db",
    "6": "0431 13ee 2cd2 2cd3 abbe 118d5",
    "7": "104d2 104fa 118c6",
    "8": "0222 0223 09ea 0a6a 1031a 1e8cb",
    "9": "09ed 0a67 0b68 0d6d 2cca 2ccb a76e a76f 118ac 118cc 118d6",
    "a": "0251 0391 03b1 0410 0430 13aa 15c5 a4ee ab7a 102a0 16f40",
    "aa": "a732 a733",
    "ae": "00c6 00e6 04d4 04d5",
    "ao": "a734 a735",
    "au": "a736 a737",
    "av": "a738 a739 a73a a73b",
    "ay": "a73c a73d",
    "b": ("0184 0185 0392 03b2 0412 042c 0432 044c 13cf 13f4 13fc 15af 15f7 1c80 a4d0 a7b4 ab9f 10282 102a1 10301"),
    "bl": "042b 044b",
    "c": "0421 0441 13df 1c83 1d04 2ca4 2ca5 a4da abaf 102a2 10302 10415 1043d 1051c 118e9 118f2",
    "d": "0501 13a0 13e7 146f 15de 15ea a4d2 a4d3 ab70 abb7",
    "dz": "02a3",
    "e": "0395 03b5 0415 0435 04bd 13ac 2d39 a4f0 ab32 ab7c 10286 118a6 118ae 118ce",
    "f": "03dc 03dd 0584 15b4 1e9d a4dd a798 a799 ab35 10287 102a5 10525 118a2 118c2",
    "g": "018d 0261 050c 050d 0581 13c0 13f3 13fb 1d83 a4d6 ab90",
    "h": "0397 041d 043d 04bb 0570 13bb 13c2 157c 2c8e 2c8f a4e7 ab8b ab92 102cf",
    "i": "0131 0269 026a 03b9 0456 0457 04cf 13a5 a647 ab75 118c3",
    "j": "029d 037f 03f3 0408 0458 13ab 148d a4d9 a7b2 ab7b",
    "k": "039a 03ba 041a 043a 13e6 16d5 2c94 2c95 a4d7 abb6 10518",
    "l": (
        "0196 01c0 029f 0399 0406 04c0 05d5 05df 0627 0661 06f1 07ca 13de 14aa 16c1 2c92 2c93 2cd0 2cd1 2d4f "
        "a4e1 a4f2 abae 1028a 10309 10320 1041b 10443 10526 118a3 118b2 118d2 16f16 16f28 1e8c7"
    ),
    "ll": "01c1 05f0",
    "lo": "042e 044e",
    "ls": "02aa",
    "lz": "02ab",
    "m": "039c 03bc 03fa 03fb 041c 043c 13b7 15f0 16d6 2c98 2c99 a4df ab87 102b0 10311 11700 118e3",
    "n": "039d 03b7 0578 057c 2c9a 2c9b a4e0 10513",
    "o": (
        "039f 03bf 03c3 041e 043e 0555 0585 05e1 0647 0665 06be 06c1 06d5 06f5 07c0 0966 09e6 0a66 0ae6 0b20 "
        "0b66 0be6 0c66 0ce6 0d20 0d66 0e50 0ed0 101d 1040 10ff 12d0 1c82 1d0f 1d11 2c9e 2c9f 2d54 3007 a4f3 "
        "ab3d 10292 102ab 10404 1042c 104c2 104ea 10516 114d0 118b5 118c8 118d7 118e0"
    ),
    "oe": "0152 0153",
    "oo": "a698 a699 a74e a74f",
    "p": "03a1 03c1 0420 0440 13e2 146d 2ca2 2ca3 a4d1 abb2 10295",
    "q": "051b 0563 0566 2d55",
    "r": "01a6 0280 0433 13a1 13d2 1587 1d26 2c85 a4e3 ab47 ab48 ab71 ab81 aba2 104b4 104dc 16f35",
    "s": "01bd 0405 0455 054f 057f 13d5 13da a4e2 a731 aba5 abaa 10296 10420 10448 118c1 16f3a",
    "ss": "13f0 13f8 a7b5",
    "t": "03a4 03c4 0422 0442 13a2 1c84 1c85 2ca6 2ca7 a4d4 ab72 10297 102b1 10315 118bc 16f0a",
    "t3": "a728 a729",
    "tf": "a777",
    "ts": "02a6",
    "u": "028b 03c5 054d 057d 1200 144c 1d1c a4f4 a79f ab4e ab52 104ce 104f6 118b8 118d8 16f42",
    "ue": "1d6b",
    "uo": "ab63",
    "v": "03bd 0474 0475 05d8 0667 06f7 13d9 142f 1d20 2d38 a4e6 a6df aba9 1051d 11706 118a0 118c0 16f08",
    "w": "026f 03c9 0461 051c 051d 0561 13b3 13d4 1d21 a4ea ab83 aba4 1170a 1170e 1170f 118e6 118ef",
    "x": ("03a7 03c7 0425 0445 1541 157d 16b7 2cac 2cad 2d5d a4eb a7b3 ab53 10290 102b4 10317 10322 10527 118ec"),
    "y": (
        "0263 028f 03a5 03b3 0423 0443 04ae 04af 10e7 13a9 13bd 1d8c 1eff 2ca8 2ca9 a4ec ab5a ab79 ab8d 102b2 "
        "118a4 118dc 16f43"
    ),
    "z": "0396 03b6 13c3 1d22 a4dc ab93 102f5 118a9 118c4 118c9 118e5",
}

ALIKE: Final = {int(letter, 16): drawn for drawn, letters in _DRAWN_AS.items() for letter in letters.split()}
"""What each is drawn like, for `str.translate`."""
