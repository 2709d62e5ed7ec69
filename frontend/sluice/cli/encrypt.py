"""`sluice encrypt`: values to ciphertexts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.client_step import ClientStep, ProgramArgument
from sluice.cli.output import InsecureOption, JsonOption


def encrypt_command(
    program: ProgramArgument,
    values: Annotated[list[Path], typer.Argument(help="One .npy or .csv file an input, in order.")],
    key: Annotated[Path, typer.Option(help="public.key, or secret.key for ciphertexts of half the size.")],
    output: Annotated[list[Path], typer.Option("-o", "--output", help="One file an input, in order.")],
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Encrypt the inputs of a program."""
    from sluice.client import Client, read_manifest
    from sluice.manifest import byte_text
    from sluice.values import read_values

    manifest = read_manifest(program)
    if len(values) != len(manifest.inputs) or len(output) != len(values):
        names = ", ".join(tensor.name for tensor in manifest.inputs)
        raise typer.BadParameter(f"the program has inputs {names}: give one file of values and one -o for each")
    step = ClientStep("encrypt")
    client = Client.load(manifest, key, insecure=insecure)
    arrays = [read_values(path, spec) for path, spec in zip(values, manifest.inputs)]
    step.loaded()
    ciphertexts = client.encrypt_all(arrays)
    step.done()
    for ciphertext, path in zip(ciphertexts, output):
        ciphertext.save(path)
    sizes = {str(path): len(ciphertext.to_bytes()) for ciphertext, path in zip(ciphertexts, output)}
    step.show(as_json, {"bytes": sizes}, [("ciphertext", f"{path}, {byte_text(size)}") for path, size in sizes.items()])
