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
    share: Annotated[
        bool, typer.Option("--share", help="Add noise and count, for values that others than you will see.")
    ] = False,
    least_deviation: Annotated[
        float, typer.Option(min=0, help="--share: the least deviation of that noise, where it is to be more.")
    ] = 0,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Decrypt the outputs of a program."""
    from sluice.ciphertext import Ciphertext
    from sluice.client import Client, read_manifest
    from sluice.values import write_values

    if len(ciphertexts) != len(output):
        raise typer.BadParameter("give one -o for each ciphertext")
    if least_deviation and not share:
        raise typer.BadParameter("--least-deviation is for --share")
    step = ClientStep("decrypt")
    client = Client.load(read_manifest(program), key, insecure=insecure)
    step.loaded()
    loaded = [Ciphertext.load(path) for path in ciphertexts]
    arrays = client.decrypt_all(loaded, share=share, least_deviation=least_deviation)
    step.done()
    for array, path in zip(arrays, output):
        write_values(path, array)
    step.show(
        as_json,
        {
            "output": {str(path): list(array.shape) for array, path in zip(arrays, output)},
            **({"shared_count": client.shared_count} if share else {}),
        },
        [("values", f"{path}, shape {array.shape}") for array, path in zip(arrays, output)]
        + ([("shared", f"{client.shared_count} decryptions so far under this key")] if share else []),
    )
