"""`sluice calibrate`: what kernels cost on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.output import JsonOption, Stopwatch, show


def calibrate_command(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="The cost file; by default sluice/costs.json in ~/.config.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Time the kernels on this machine, for `sluice compile --costs`. Takes about 15 s."""
    from sluice import _sluice
    from sluice.files import make_folder, write_bytes

    watch = Stopwatch()
    path = output or default_cost_file()
    if output is None:
        make_folder(path.parent)
    write_bytes(path, _sluice.calibrate())
    milliseconds = watch.lap_ms()
    show(
        as_json,
        {"output": str(path), "calibrate_ms": milliseconds},
        [
            ("costs", str(path)),
            ("measured", f"in {milliseconds / 1000:.1f} s"),
            ("use", f"sluice compile --costs {path}"),
        ],
    )


def default_cost_file() -> Path:
    """$XDG_CONFIG_HOME/sluice/costs.json, or ~/.config/sluice/costs.json: XDG passes over relative paths."""
    home = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".config") / "sluice" / "costs.json"
