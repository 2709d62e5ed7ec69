"""`sluice inspect`: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.output import JsonOption, show


def inspect_command(
    file: Annotated[Path, typer.Argument(help="A .sluice file or a manifest.")], as_json: JsonOption = False
) -> None:
    """Show a program's security, ring, levels, inputs, outputs and keys."""
    from sluice.client import read_manifest

    manifest = read_manifest(file)
    show(as_json, manifest.json, manifest.rows())
