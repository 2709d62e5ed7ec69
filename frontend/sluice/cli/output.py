"""How every subcommand speaks: one result as a table or as JSON, a progress bar on a terminal, measures of itself."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from sluice.manifest import table

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")]
InsecureOption = Annotated[bool, typer.Option("--insecure", help="Accept less than 128 bits of security; for tests.")]


def show(as_json: bool, data: dict[str, Any], rows: list[tuple[str, str]]) -> None:
    """Prints the result on stdout."""
    print(json.dumps(data, indent=2) if as_json else table(rows))


class Stopwatch:
    """Milliseconds since it was made or last read."""

    def __init__(self) -> None:
        self._last = time.perf_counter()

    def lap_ms(self) -> float:
        now = time.perf_counter()
        lap, self._last = (now - self._last) * 1000, now
        return lap


def peak_memory_bytes() -> int:
    """The most physical memory that this process held so far; 0 where the system does not tell.

    Not ru_maxrss, which a process inherits: it would be the peak of whoever started this one.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return 0
    peak = next((line for line in lines if line.startswith("VmHWM:")), "VmHWM: 0 kB")
    return int(peak.split()[1]) * 1024


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Gives a function (done, total) that draws a bar on stderr, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what)
        yield lambda done, total: bars.update(task, completed=done, total=total)
