"""Bytes in files, with one message for what goes wrong."""

from __future__ import annotations

import os
from pathlib import Path

from sluice.errors import InputOutputError

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


def make_folder(path: PathLike) -> None:
    """Makes a folder and those above it that are missing."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputOutputError(f"{os.fspath(path)}: {problem.strerror}") from None
