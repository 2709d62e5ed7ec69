"""The command with all its subcommands."""

from __future__ import annotations

import typer

from sluice.cli.bench import bench_app
from sluice.cli.calibrate import calibrate_command
from sluice.cli.compile import compile_command
from sluice.cli.decrypt import decrypt_command
from sluice.cli.encrypt import encrypt_command
from sluice.cli.inspect import inspect_command
from sluice.cli.keygen import keygen_command
from sluice.cli.params import params_command
from sluice.cli.report import report_command
from sluice.cli.run import run_command

app = typer.Typer(
    name="sluice",
    help="Compile numeric programs to circuits on encrypted data, and run them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("compile")(compile_command)
app.command("inspect")(inspect_command)
app.command("keygen")(keygen_command)
app.command("encrypt")(encrypt_command)
app.command("run")(run_command)
app.command("decrypt")(decrypt_command)
app.command("report")(report_command)
app.command("params")(params_command)
app.command("calibrate")(calibrate_command)
app.add_typer(bench_app)
