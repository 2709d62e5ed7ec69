"""What `sluice encrypt` and `sluice decrypt` share: they load, do one thing, and say what it cost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sluice.cli.output import Stopwatch, peak_memory_bytes, show

ProgramArgument = Annotated[Path, typer.Argument(help="The .sluice file, or its manifest.")]


class ClientStep:
    """The costs of a step, "encrypt" or "decrypt"; made when it begins."""

    def __init__(self, verb: str) -> None:
        self._verb = verb
        self._watch = Stopwatch()
        self._load_ms = self._work_ms = 0.0

    def loaded(self) -> None:
        """Key and files are read."""
        self._load_ms = self._watch.lap_ms()

    def done(self) -> None:
        """The work is done; what follows is writing."""
        self._work_ms = self._watch.lap_ms()

    def show(self, as_json: bool, data: dict[str, Any], rows: list[tuple[str, str]]) -> None:
        """Prints the result and the costs."""
        costs = {
            "load_ms": self._load_ms,
            f"{self._verb}_ms": self._work_ms,
            "peak_memory_bytes": peak_memory_bytes(),
        }
        show(as_json, {**data, **costs}, [*rows, (f"{self._verb}ed", f"in {self._work_ms:.1f} ms")])
