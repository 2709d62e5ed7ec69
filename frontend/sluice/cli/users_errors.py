"""Exceptions of the user's own code: shown with the user's frames, without those of Sluice and its libraries."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sluice.errors import SluiceError


@contextmanager
def users_errors(path: str, *, importing: bool = False) -> Iterator[None]:
    """Turns an exception of the file at `path` into a SluiceError whose text is what its author needs to see.

    One that passed through no file beside it is a defect of Sluice, and goes on as it is, unless the file is only being
    imported: then all is its own, a syntax error too.
    """
    try:
        yield
    except SluiceError:
        raise
    except Exception as problem:
        folder = Path(path).resolve().parent
        report = traceback.TracebackException.from_exception(problem)
        if not _keep_frames(report, folder) and not importing:
            raise
        raise SluiceError(f"{path} raised an exception\n{''.join(report.format()).rstrip()}") from None


def _keep_frames(report: traceback.TracebackException | None, folder: Path) -> bool:
    """Leaves frames of files below `folder` in a report and in what caused it; whether the report itself has any."""
    if report is None:
        return False
    _keep_frames(report.__cause__, folder)
    _keep_frames(report.__context__, folder)
    report.stack = traceback.StackSummary.from_list([frame for frame in report.stack if _is_users(frame, folder)])
    return bool(report.stack)


def _is_users(frame: traceback.FrameSummary, folder: Path) -> bool:
    file = Path(frame.filename)
    is_library = "site-packages" in file.parts or Path(__file__).parents[1] in file.parents
    return file.is_absolute() and not is_library and folder in file.resolve().parents
