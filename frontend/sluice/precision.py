"""How precise values are, in the ways that people state it."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np


@dataclass(frozen=True)
class Precision:
    """Bits of precision of many values; errors of 2^-60 and less count as 2^-60.

    mean_bits, median_bits, worst_bits: of -log2 |error|, value by value.
    bits_of_mean: -log2 of the mean |error|, as Bossuat et al. have it in their tables.
    bits_of_std: -log2 of the standard deviation of the error (docs/mathematics.md).
    """

    mean_bits: float
    median_bits: float
    worst_bits: float
    bits_of_mean: float
    bits_of_std: float

    def to_json(self) -> dict[str, float]:
        return asdict(self)


def measure_precision(values: np.ndarray, expected: np.ndarray) -> Precision:
    """The precision of `values` that should be `expected`; of complex ones both parts count."""
    errors = np.asarray(values).ravel() - np.asarray(expected).ravel()
    errors = errors.view(np.float64) if np.iscomplexobj(errors) else errors.astype(np.float64)
    bits = -np.log2(np.maximum(np.abs(errors), 2.0**-60))
    return Precision(
        mean_bits=float(bits.mean()),
        median_bits=float(np.median(bits)),
        worst_bits=float(bits.min()),
        bits_of_mean=_bits(np.abs(errors).mean()),
        bits_of_std=_bits(errors.std()),
    )


def _bits(error: float) -> float:
    return float(-np.log2(max(float(error), 2.0**-60)))
