"""`sluice bench successive`: many bootstraps of one ciphertext, one after the other, and the precision after each."""

from __future__ import annotations

import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluice.cli.bench_bootstrap import (
    ArcsineOption,
    FolderOption,
    OrderOption,
    PresetOption,
    RealOption,
    RoundsOption,
    SeedOption,
    SlotsOption,
    random_values,
    say,
)
from sluice.cli.output import InsecureOption, JsonOption, Stopwatch, show

if TYPE_CHECKING:
    from sluice._compiler import Bootstrap
    from sluice.program import Program


def bench_successive_command(
    preset: PresetOption = "set1",
    count: Annotated[int, typer.Option(min=1, help="So many bootstraps.")] = 50,
    slots: SlotsOption = None,
    order: OrderOption = None,
    real: RealOption = False,
    rounds: RoundsOption = 1,
    arcsine_degree: ArcsineOption = None,
    seed: SeedOption = 1,
    folder: FolderOption = None,
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Bootstrap one ciphertext many times: how its errors grow. Each result is the next operand."""
    from sluice import bootstrap

    chosen = bootstrap.plan(preset, slots=slots, order=order, real=real, rounds=rounds, arcsine_degree=arcsine_degree)
    say(f"compiling a bootstrap of {chosen.slots} slots, N = 2^{chosen.log_n}")
    program = bootstrap.program_of(chosen, complex_values=not real, repeatable=True, insecure=insecure)
    with TemporaryDirectory(dir=folder) as work:
        bootstraps = _measure(program, chosen, Path(work), count, seed)
    result = {
        "preset": chosen.name,
        "log_n": chosen.log_n,
        "slots": chosen.slots,
        "order": chosen.order,
        "real": chosen.real,
        "rounds": chosen.rounds,
        "log_scale": chosen.log_scale,
        "bootstraps": bootstraps,
    }
    show(as_json, result, _rows(result))


def _measure(program: Program, chosen: Bootstrap, folder: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Time and precision of each bootstrap; client and server are one process here."""
    from sluice.client import Client
    from sluice.precision import measure_precision
    from sluice.server import Server

    say("making keys")
    client = Client(program.manifest, insecure=chosen.insecure)
    client.save(folder / "keys")
    values = random_values(chosen, seed)
    ciphertexts = client.encrypt_all([values])
    say("loading keys")
    server = Server(program, folder / "keys/eval.keys")
    watch = Stopwatch()
    bootstraps = []
    for number in range(1, count + 1):
        ciphertexts = server.run(ciphertexts)
        (result,) = client.decrypt_all(ciphertexts)
        precision = measure_precision(result, values)
        bootstraps.append({"ms": server.compute_ms, "precision": precision.to_json()})
        say(f"{number} of {count} in {watch.lap_ms() / 1000:.1f} s: {precision.bits_of_std:.1f} bits")
    return bootstraps


def _rows(result: dict[str, Any]) -> list[tuple[str, str]]:
    """After 1, 2, 4 ... bootstraps and the last one."""
    count = len(result["bootstraps"])
    shown = sorted({2**k for k in range(int(math.log2(count)) + 1)} | {count})
    values = "real" if result["real"] else "complex"
    return [
        ("preset", f"{result['preset']}, N = 2^{result['log_n']}, {result['slots']} {values} slots"),
        *(("after", _row(number, result["bootstraps"][number - 1]["precision"])) for number in shown),
    ]


def _row(number: int, precision: dict[str, float]) -> str:
    return (
        f"{number}: {precision['mean_bits']:.1f} bits in the mean, {precision['worst_bits']:.1f} at worst, "
        f"{precision['bits_of_std']:.1f} of the standard deviation"
    )
