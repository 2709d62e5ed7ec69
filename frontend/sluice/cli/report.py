"""`sluice report`: a program as a page of HTML."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.output import JsonOption, show


def report_command(
    program: Annotated[Path, typer.Argument(help="The .sluice file.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The .html file.")],
    as_json: JsonOption = False,
) -> None:
    """Write a self-contained HTML page about a program."""
    from sluice.program import load

    load(program).report(output)
    show(as_json, {"output": str(output)}, [("report", str(output))])
