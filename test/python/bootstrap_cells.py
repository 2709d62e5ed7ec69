"""Forms of preset bootstraps, with the bits that theory gives each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SLOTS_FIRST = "slots_to_coefficients_first"


@dataclass(frozen=True)
class Cell:
    """A variation of a preset; `bits` is the least -log2 of the error's standard deviation."""

    bits: float
    slots: int | None = None
    real: bool = False
    order: str | None = None
    rounds: int = 1

    def __str__(self) -> str:
        vector = "real" if self.real else f"{self.slots or 'all'} slots"
        order = "slots first" if self.order else "modulus first"
        return f"{vector}, {order}, {self.rounds} {'rounds' if self.rounds > 1 else 'round'}"

    def keywords(self) -> dict[str, Any]:
        return {"slots": self.slots, "real": self.real, "order": self.order, "rounds": self.rounds}

    def options(self) -> list[str]:
        """Of `sluice bench bootstrap`."""
        words = ["--rounds", str(self.rounds)]
        words += ["--slots", str(self.slots)] if self.slots else []
        words += ["--order", self.order] if self.order else []
        return [*words, "--real"] if self.real else words


def cells(few: int, bits: list[float]) -> list[Cell]:
    """All slots, `few`, and real ones; ModRaise first and last; one round and two: as many bits, in this order."""
    forms = [
        (vector, order, rounds)
        for vector in ({}, {"slots": few}, {"real": True})
        for order in (None, SLOTS_FIRST)
        for rounds in (1, 2)
    ]
    return [
        Cell(least, **vector, order=order, rounds=rounds)
        for least, (vector, order, rounds) in zip(bits, forms, strict=True)
    ]
