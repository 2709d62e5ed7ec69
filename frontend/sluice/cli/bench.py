"""`sluice bench`: what the parts of Sluice do on this machine."""

from __future__ import annotations

import typer

from sluice.cli.bench_bootstrap import bench_bootstrap_command
from sluice.cli.bench_successive import bench_successive_command

bench_app = typer.Typer(name="bench", help="Measure on this machine.", no_args_is_help=True)

bench_app.command("bootstrap")(bench_bootstrap_command)
bench_app.command("successive")(bench_successive_command)
