"""`sluice decrypt`: ciphertexts to values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.client_step import ClientStep, ProgramArgument
from sluice.cli.output import InsecureOption, JsonOption


def decrypt_command(
    program: ProgramArgument,
    ciphertexts: Annotated[list[Path], typer.Argument(help="One ciphertext an output, in order.")],
    key: Annotated[Path, typer.Option(help="secret.key.")],
    output: Annotated[list[Path], typer.Option("-o", "--output", help="One .npy or .csv file an output, in order.")],
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Decrypt the outputs of a program."""
    from sluice.ciphertext import Ciphertext
    from sluice.client import Client, read_manifest
    from sluice.values import write_values

    if len(ciphertexts) != len(output):
        raise typer.BadParameter("give one -o for each ciphertext")
    step = ClientStep("decrypt")
    client = Client.load(read_manifest(program), key, insecure=insecure)
    step.loaded()
    arrays = client.decrypt_all([Ciphertext.load(path) for path in ciphertexts])
    step.done()
    for array, path in zip(arrays, output):
        write_values(path, array)
    step.show(
        as_json,
        {"output": {str(path): list(array.shape) for array, path in zip(arrays, output)}},
        [("values", f"{path}, shape {array.shape}") for array, path in zip(arrays, output)],
    )
