"""Ranges that the user states: of a secret, or of a value inside the program."""

from __future__ import annotations

import math
from typing import Any

from sluice.errors import InvalidArgumentError

Range = tuple[float, float]


def checked_range(bounds: Any, what: str) -> Range:
    """(low, high) as finite floats with low < high."""
    try:
        low, high = (float(bound) for bound in bounds)
    except (TypeError, ValueError):
        raise InvalidArgumentError(f"{what} must be a pair (low, high), not {bounds!r}") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InvalidArgumentError(f"{what} must be finite with low < high, not ({low}, {high})")
    return low, high
