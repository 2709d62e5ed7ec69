"""Arrays and bytes in files: .npy and .csv for values, everything else as it is."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from sluice.errors import InputOutputError, InvalidArgumentError
from sluice.manifest import TensorSpec

PathLike = str | os.PathLike[str]


def read_bytes(path: PathLike) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        raise InputOutputError(f"{os.fspath(path)}: {problem.strerror}") from None


def write_bytes(path: PathLike, content: bytes, mode: int = 0o644) -> None:
    """Writes the whole file or nothing: beside the path first, then renamed."""
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
        os.replace(beside, target)
    except OSError as problem:
        beside.unlink(missing_ok=True)
        raise InputOutputError(f"{target}: {problem.strerror}") from None


def read_array(path: PathLike, spec: TensorSpec) -> np.ndarray:
    """The values of one input. A .csv file has no shape of its own: it is brought to that of the input, row by row."""
    name = os.fspath(path)
    try:
        if name.endswith(".npy"):
            values: np.ndarray = np.load(name, allow_pickle=False)
            return values
        if name.endswith(".csv"):
            return _shaped(np.loadtxt(name, delimiter=",", ndmin=2, dtype=np.float64), spec)
    except OSError as problem:
        raise InputOutputError(f"{name}: {problem.strerror or problem}") from None
    except ValueError as problem:
        raise InvalidArgumentError(f"{name}: {problem}") from None
    raise InvalidArgumentError(f"{name}: values are read from .npy and .csv files")


def write_array(path: PathLike, values: np.ndarray) -> None:
    """Writes .npy, or .csv with one item (or one row of a matrix) a line and all digits."""
    name = os.fspath(path)
    try:
        if name.endswith(".npy"):
            np.save(name, values)
        elif name.endswith(".csv"):
            rows = values.reshape(values.shape[0], -1) if values.ndim > 1 else values.reshape(-1, 1)
            np.savetxt(name, rows, delimiter=",", fmt="%.17g")
        else:
            raise InvalidArgumentError(f"{name}: values are written to .npy and .csv files")
    except OSError as problem:
        raise InputOutputError(f"{name}: {problem.strerror or problem}") from None


def _shaped(rows: np.ndarray, spec: TensorSpec) -> np.ndarray:
    if spec.batched:
        return rows.reshape(-1, *spec.shape) if rows.shape[1] == np.prod(spec.shape) else rows
    return rows.reshape(spec.shape) if rows.size == np.prod(spec.shape) else rows
