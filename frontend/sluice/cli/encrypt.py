"""`sluice encrypt`: values to ciphertexts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.output import InsecureOption, JsonOption, Stopwatch, peak_memory_bytes, show


def encrypt_command(
    program: Annotated[Path, typer.Argument(help="The .sluice file, or its manifest.")],
    values: Annotated[list[Path], typer.Argument(help="One .npy or .csv file an input, in order.")],
    key: Annotated[Path, typer.Option(help="public.key, or secret.key for ciphertexts of half the size.")],
    output: Annotated[list[Path], typer.Option("-o", "--output", help="One file an input, in order.")],
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Encrypt the inputs of a program."""
    from sluice.client import Client, read_manifest
    from sluice.files import read_array
    from sluice.manifest import byte_text

    manifest = read_manifest(program)
    if len(values) != len(manifest.inputs) or len(output) != len(values):
        names = ", ".join(tensor.name for tensor in manifest.inputs)
        raise typer.BadParameter(f"the program has inputs {names}: give one file of values and one -o for each")
    watch = Stopwatch()
    client = Client.load(manifest, key, insecure=insecure)
    arrays = [read_array(path, spec) for path, spec in zip(values, manifest.inputs)]
    load_ms = watch.lap_ms()
    ciphertexts = client.encrypt_all(arrays)
    encrypt_ms = watch.lap_ms()
    for ciphertext, path in zip(ciphertexts, output):
        ciphertext.save(path)
    sizes = {str(path): len(ciphertext.to_bytes()) for ciphertext, path in zip(ciphertexts, output)}
    measures = {"load_ms": load_ms, "encrypt_ms": encrypt_ms, "peak_memory_bytes": peak_memory_bytes()}
    show(
        as_json,
        {"bytes": sizes, **measures},
        [("ciphertext", f"{path}, {byte_text(size)}") for path, size in sizes.items()]
        + [("encrypted", f"in {encrypt_ms:.1f} ms")],
    )
