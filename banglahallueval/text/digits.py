"""Bengali and ASCII digits."""

from __future__ import annotations

from typing import Final

BENGALI: Final = "০১২৩৪৫৬৭৮৯"
ASCII: Final = "0123456789"

# Tables for `str.translate`.
TO_ASCII: Final[dict[int, str]] = dict(zip(map(ord, BENGALI), ASCII, strict=True))
TO_BENGALI: Final[dict[int, str]] = dict(zip(map(ord, ASCII), BENGALI, strict=True))
