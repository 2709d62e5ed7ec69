"""Every exception that Sluice raises on purpose; all of them derive from `SluiceError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sluice.tracing.source import SourceLocation


class SluiceError(Exception):
    """Base of all errors. The text says what is wrong, where, and what would be right, and shows no secret value."""


class TraceError(SluiceError):
    """The function does something that cannot be compiled to a circuit.

    `location` is the user's line; the text holds `file:line`, the line's source and the fix.
    """

    def __init__(self, problem: str, fix: str, location: SourceLocation | None = None):
        self.problem = problem
        self.fix = fix
        self.location = location
        where = f"{location.shown()}: " if location else ""
        excerpt = location.excerpt() if location else ""
        super().__init__(f"{where}{problem}\n{excerpt}fix: {fix}")


class CompileError(SluiceError):
    """The compiler refuses the program; the text holds its diagnostics with the user's lines.

    `candidates` is the table of the parameters that were looked at, empty where it did not come to that.
    """

    def __init__(self, message: str, candidates: str = "") -> None:
        super().__init__(message)
        self.candidates = candidates


class InvalidArgumentError(SluiceError, ValueError):
    """An argument has the wrong shape, type or value."""


class OutOfRangeError(SluiceError, ValueError):
    """A value lies outside the range that the program was compiled for."""


class CorruptFileError(SluiceError):
    """A file is truncated, altered or of another kind."""


class UnsupportedVersionError(SluiceError):
    """A file was written by a newer version."""


class MismatchError(SluiceError):
    """Keys, ciphertexts and program do not belong together."""


class NotFoundError(SluiceError):
    """Something that was asked for (a key, an input, an output) is not there."""


class InsecureError(SluiceError):
    """The parameters give less security than asked for."""


class InputOutputError(SluiceError, OSError):
    """The operating system could not read or write."""


class InternalError(SluiceError):
    """A defect in Sluice itself; please report it."""
