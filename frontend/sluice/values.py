"""Values of inputs and outputs in .npy and .csv files, read and written as `sluice-client` does it."""

from __future__ import annotations

import os

import numpy as np

from sluice import _sluice
from sluice.manifest import TensorSpec


def read_values(path: str | os.PathLike[str], spec: TensorSpec) -> np.ndarray:
    """The values of one input. A .csv file has no shape of its own: a line is an item, or all lines are one item."""
    return np.asarray(_sluice.read_values(os.fspath(path), list(spec.shape), spec.batched))


def write_values(path: str | os.PathLike[str], values: np.ndarray) -> None:
    """Writes .npy, or .csv with a line for each index of the first axis and all digits; mode 0600.

    Complex values are for .npy only.
    """
    _sluice.write_values(os.fspath(path), contiguous(values))


def contiguous(values: np.ndarray) -> np.ndarray:
    """The numbers of any array as float64 or complex128, row by row."""
    type_ = np.complex128 if values.dtype.kind == "c" else np.float64
    return np.ascontiguousarray(values, dtype=type_).reshape(values.shape)  # a scalar keeps its shape
