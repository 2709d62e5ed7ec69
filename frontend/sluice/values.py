"""Values of inputs and outputs in .npy and .csv files, read and written as `sluice-client` does it."""

from __future__ import annotations

import os

import numpy as np

from sluice import _sluice
from sluice.manifest import TensorSpec


def read_values(path: str | os.PathLike[str], spec: TensorSpec) -> np.ndarray:
    """The values of one input. A .csv file has no shape of its own: a line is an item, or all lines are one item."""
    values: np.ndarray = _sluice.read_values(os.fspath(path), list(spec.shape), spec.batched)
    return values


def write_values(path: str | os.PathLike[str], values: np.ndarray) -> None:
    """Writes .npy, or .csv with a line for each index of the first axis and all digits; mode 0600."""
    _sluice.write_values(os.fspath(path), np.ascontiguousarray(values, dtype=np.float64).reshape(values.shape))
