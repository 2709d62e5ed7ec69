"""`sluice keygen`: a client's keys for one program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.client_step import ProgramArgument
from sluice.cli.output import InsecureOption, JsonOption, Stopwatch, peak_memory_bytes, progress, show


def keygen_command(
    program: ProgramArgument,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder for the keys.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a secret key that is there.")] = False,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make secret.key (stays with the client), public.key, and eval.keys (for the server)."""
    from sluice.client import Client, read_manifest
    from sluice.manifest import byte_text

    watch = Stopwatch()
    with progress("making keys") as report:
        files = Client(read_manifest(program), insecure=insecure).save(output, report, force=force)
    sizes = {path.name: path.stat().st_size for path in files}
    milliseconds = watch.lap_ms()
    show(
        as_json,
        {"output": str(output), "bytes": sizes, "keygen_ms": milliseconds, "peak_memory_bytes": peak_memory_bytes()},
        [(name, f"{output / name}, {byte_text(size)}") for name, size in sizes.items()]
        + [("made", f"in {milliseconds / 1000:.2f} s")],
    )
