"""`sluice calibrate`: what kernels cost on this machine, or on its GPU."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.output import JsonOption, Stopwatch, progress, show

EMULATED = "emulated:"


def calibrate_command(
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The cost file; by default sluice/costs.json in ~/.config, for target cuda costs-cuda.json there.",
        ),
    ] = None,
    target: Annotated[str, typer.Option(help="cpu: this machine; cuda: its GPU, needs nvcc.")] = "cpu",
    device: Annotated[
        str | None,
        typer.Option(
            help="For target cuda: cuda (the default), or emulated:PREFIX, for tests: code that was compiled for the "
            "host goes to PREFIX12.so to PREFIX16.so and runs in this process."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Time the kernels on this machine, for `sluice compile --costs`. Takes about 15 s."""
    from sluice import _sluice
    from sluice.files import make_folder, write_bytes

    if target not in ("cpu", "cuda"):
        raise typer.BadParameter(f"--target must be cpu or cuda, not {target}")
    if device is not None and target != "cuda":
        raise typer.BadParameter("--device needs --target cuda")
    if device is not None and device != "cuda" and not device.startswith(EMULATED):
        raise typer.BadParameter(f"--device must be cuda or {EMULATED}PREFIX, not {device}")
    watch = Stopwatch()
    content = _sluice.calibrate() if target == "cpu" else _calibrate_device(device or "cuda")
    path = output or default_cost_file(target)
    if output is None:
        make_folder(path.parent)
    write_bytes(path, content)
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


def default_cost_file(target: str = "cpu") -> Path:
    """$XDG_CONFIG_HOME/sluice/costs.json, or ~/.config/sluice/costs.json: XDG passes over relative paths.

    For target cuda costs-cuda.json in the same folder.
    """
    home = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    folder = (home if home.is_absolute() else Path.home() / ".config") / "sluice"
    return folder / ("costs.json" if target == "cpu" else f"costs-{target}.json")


def _calibrate_device(device: str) -> bytes:
    """The cost file of a device: for each degree, code is compiled, loaded and timed."""
    from sluice import _sluice
    from sluice.files import write_bytes

    calibration = _sluice.DeviceCalibration(device)  # first: without a GPU nothing need be compiled
    first, last = _sluice.min_cost_log_n, _sluice.max_cost_log_n
    with progress("calibrating") as advance:
        for log_n in range(first, last + 1):
            code = _calibration_code(log_n)
            if device.startswith(EMULATED):
                write_bytes(f"{device.removeprefix(EMULATED)}{log_n}.so", code, 0o755)
                calibration.measure(log_n, code, samples=1, sample_ms=0)  # the times mean nothing
            else:
                calibration.measure(log_n, code)
            advance(log_n - first + 1, last - first + 1)
    return calibration.file()


def _calibration_code(log_n: int) -> bytes:
    from sluice import _compiler
    from sluice.errors import CompileError
    from sluice.program import diagnostic_text

    result = _compiler.calibration_code(log_n)
    if not result.bytes:
        raise CompileError("\n".join(diagnostic_text(diagnostic) for diagnostic in result.diagnostics))
    return result.bytes
