"""`sluice decrypt`: ciphertexts to values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.output import InsecureOption, JsonOption, Stopwatch, peak_memory_bytes, show


def decrypt_command(
    program: Annotated[Path, typer.Argument(help="The .sluice file, or its manifest.")],
    ciphertexts: Annotated[list[Path], typer.Argument(help="One ciphertext an output, in order.")],
    key: Annotated[Path, typer.Option(help="secret.key.")],
    output: Annotated[list[Path], typer.Option("-o", "--output", help="One .npy or .csv file an output, in order.")],
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Decrypt the outputs of a program."""
    from sluice.ciphertext import Ciphertext
    from sluice.client import Client, read_manifest
    from sluice.files import write_array

    if len(ciphertexts) != len(output):
        raise typer.BadParameter("give one -o for each ciphertext")
    watch = Stopwatch()
    client = Client.load(read_manifest(program), key, insecure=insecure)
    load_ms = watch.lap_ms()
    arrays = client.decrypt_all([Ciphertext.load(path) for path in ciphertexts])
    decrypt_ms = watch.lap_ms()
    for array, path in zip(arrays, output):
        write_array(path, array)
    measures = {"load_ms": load_ms, "decrypt_ms": decrypt_ms, "peak_memory_bytes": peak_memory_bytes()}
    show(
        as_json,
        {"output": {str(path): list(array.shape) for array, path in zip(arrays, output)}, **measures},
        [("values", f"{path}, shape {array.shape}") for array, path in zip(arrays, output)]
        + [("decrypted", f"in {decrypt_ms:.1f} ms")],
    )
