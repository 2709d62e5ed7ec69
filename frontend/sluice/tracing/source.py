"""Finding the user's line: the innermost frame that belongs neither to Sluice nor to NumPy."""

from __future__ import annotations

import itertools
import linecache
import os
import sys
from dataclasses import dataclass
from types import CodeType, FrameType

import numpy as np

_LIBRARY_FOLDERS = tuple(
    os.path.join(os.path.dirname(os.path.abspath(path)), "")
    for path in (os.path.dirname(os.path.abspath(__file__)), np.__file__)
)


def shown_path(file: str) -> str:
    """A path for messages: relative to the working folder where it lies below it."""
    folder = os.path.join(os.getcwd(), "")
    return file.removeprefix(folder)


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A place in the user's program. Lines and columns count from 1; `end_column` is exclusive, 0 if unknown."""

    file: str
    line: int
    column: int = 1
    end_column: int = 0

    def as_mlir(self) -> str:
        """The location as an MLIR attribute, `loc("model.py":12:5)`."""
        file = self.file.replace("\\", "\\\\").replace('"', '\\"')
        return f'loc("{file}":{self.line}:{self.column})'

    def shown(self) -> str:
        """`model.py:12`, for messages."""
        return f"{shown_path(self.file)}:{self.line}"

    def excerpt(self) -> str:
        """The source line with carets under the expression, indented, ending in a newline; "" if unreadable."""
        text = linecache.getline(self.file, self.line).rstrip("\n")
        if not text.strip():
            return ""
        indent = len(text) - len(text.lstrip())
        lines = f"    {text.strip()}\n"
        if self.end_column > self.column:
            lines += " " * (4 + self.column - 1 - indent) + "^" * (self.end_column - self.column) + "\n"
        return lines


def user_location() -> SourceLocation:
    """The location of the call that is running now, in the innermost frame of user code."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_LIBRARY_FOLDERS):
        frame = frame.f_back
    if frame is None:
        return SourceLocation("<unknown>", 1)
    return _frame_location(frame)


def definition_location(code: CodeType) -> SourceLocation:
    """The line on which a function is defined."""
    return SourceLocation(code.co_filename, code.co_firstlineno)


def _frame_location(frame: FrameType) -> SourceLocation:
    positions = frame.f_code.co_positions()
    line, end_line, column, end_column = next(itertools.islice(positions, frame.f_lasti // 2, None))
    if line is None or column is None:
        return SourceLocation(frame.f_code.co_filename, frame.f_lineno)
    if end_line != line or end_column is None:
        return SourceLocation(frame.f_code.co_filename, line, column + 1)
    return SourceLocation(frame.f_code.co_filename, line, column + 1, end_column + 1)
