"""`sluice bench bootstrap`: one bootstrap of a preset, from keys to precision; the server is a process of its own."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluice.cli.output import InsecureOption, JsonOption, Stopwatch, peak_memory_bytes, show

if TYPE_CHECKING:
    import numpy as np

    from sluice._compiler import Bootstrap
    from sluice.precision import Precision
    from sluice.program import Program


PresetOption = Annotated[str, typer.Option(help="A name of `sluice bench bootstrap --list`.")]
SlotsOption = Annotated[int | None, typer.Option(help="Of the vector, a power of two; all if not given.")]
OrderOption = Annotated[
    str | None, typer.Option(help="What comes first: mod_raise_first, slots_to_coefficients_first.")
]
RealOption = Annotated[bool, typer.Option("--real", help="A real vector, with half of EvalMod.")]
RoundsOption = Annotated[int, typer.Option(help="Each but the first adds precision.")]
ArcsineOption = Annotated[int | None, typer.Option(help="Odd; 1 for none.")]
SeedOption = Annotated[int, typer.Option(help="Of the values, uniform in the square of side 2.")]
FolderOption = Annotated[Path | None, typer.Option(help="Where keys and ciphertexts go for a while.")]


def bench_bootstrap_command(
    preset: PresetOption = "set1",
    bits: Annotated[
        float | None, typer.Option(help="In place of a preset: the best bootstrap with so many bits (`sluice params`).")
    ] = None,
    runs: Annotated[int, typer.Option(min=2, help="So many runs: the first is cold, the others are warm.")] = 4,
    slots: SlotsOption = None,
    order: OrderOption = None,
    real: RealOption = False,
    rounds: RoundsOption = 1,
    arcsine_degree: ArcsineOption = None,
    nested: Annotated[bool, typer.Option("--nested", help="Levels that share no limbs, for comparisons.")] = False,
    seed: SeedOption = 1,
    folder: FolderOption = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda: where it runs; compile for it with --target.")] = "cpu",
    names: Annotated[bool, typer.Option("--list", help="Only print the names of the presets.")] = False,
    target: Annotated[str, typer.Option(help="cpu, or cuda: what the program is compiled for.")] = "cpu",
    insecure: InsecureOption = False,
    as_json: JsonOption = False,
) -> None:
    """Bootstrap one ciphertext: time, precision, memory. Its values are complex, or real with --real."""
    from sluice import bootstrap

    if names:
        show(as_json, {"presets": bootstrap.presets()}, [(name, "") for name in bootstrap.presets()])
        return
    watch = Stopwatch()
    if bits is not None:
        if order is not None or rounds != 1 or arcsine_degree is not None or nested:
            raise typer.BadParameter(
                "--bits chooses order and arcsine itself, for one round and levels that share limbs"
            )
        say(f"searching a bootstrap with {bits:g} bits")
        chosen, program = bootstrap.find(bits, slots=slots or 2**15, real=real, target=target)
    else:
        form: dict[str, Any] = {"slots": slots, "order": order, "real": real, "rounds": rounds}
        chosen = bootstrap.plan(preset, **form, arcsine_degree=arcsine_degree, nested=nested)
        say(f"compiling a bootstrap of {chosen.slots} slots, N = 2^{chosen.log_n}")
        program = bootstrap.program_of(chosen, complex_values=not real, insecure=insecure, target=target)
    compile_ms = watch.lap_ms()
    with TemporaryDirectory(dir=folder) as work:
        measures = _measure(program, chosen, Path(work), runs, seed, device)
    measures["compile_ms"] = compile_ms
    result = _result(chosen, program, measures)
    show(as_json, result, _rows(result))


def say(what: str) -> None:
    """A line on stderr: what comes now."""
    print(f"sluice: {what}", file=sys.stderr, flush=True)


def random_values(chosen: Bootstrap, seed: int) -> np.ndarray:
    """A vector of the bootstrap's: each part uniform in -1 ... 1."""
    import numpy as np

    random = np.random.default_rng(seed)
    real = random.uniform(-1, 1, chosen.slots)
    return real if chosen.real else real + 1j * random.uniform(-1, 1, chosen.slots)


def _measure(program: Program, chosen: Bootstrap, folder: Path, runs: int, seed: int, device: str) -> dict[str, Any]:
    """Keys, encryption, the server's runs and decryption, through files in `folder`."""
    from sluice.ciphertext import Ciphertext
    from sluice.client import Client

    watch = Stopwatch()
    say("making keys")
    client = Client(program.manifest, insecure=chosen.insecure)
    client.save(folder / "keys")
    keygen_ms = watch.lap_ms()
    values = random_values(chosen, seed)
    (ciphertext,) = client.encrypt_all([values])
    ciphertext.save(folder / "in.ct")
    program.save(folder / "program.sluice")
    say(f"running {runs} times")
    server = _run(folder, runs, device)
    say("decrypting")
    (result,) = client.decrypt_all([Ciphertext.load(folder / "out.ct")])
    return {
        "keygen_ms": keygen_ms,
        "key_bytes": (folder / "keys/eval.keys").stat().st_size,
        "server": server,
        "precision": _precisions(result, values),
    }


def _precisions(result: np.ndarray, values: np.ndarray) -> dict[str, Precision]:
    """Of each part of complex values, and of all."""
    import numpy as np

    from sluice.precision import measure_precision

    parts = {"real": (result.real, values.real)}
    if np.iscomplexobj(values):
        parts["imaginary"] = (result.imag, values.imag)
    return {part: measure_precision(*pair) for part, pair in (parts | {"all": (result, values)}).items()}


def _run(folder: Path, runs: int, device: str) -> dict[str, Any]:
    """What `sluice run --json` says, in a process that has nothing else in its memory."""
    from sluice.errors import SluiceError

    command = [sys.executable, "-m", "sluice", "run", str(folder / "program.sluice"), str(folder / "in.ct")]
    command += ["-o", str(folder / "out.ct"), "--keys", str(folder / "keys/eval.keys")]
    command += ["--repeat", str(runs), "--device", device, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SluiceError(f"the server failed with status {done.returncode}: {done.stderr.strip()}")
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def _result(chosen: Bootstrap, program: Program, measures: dict[str, Any]) -> dict[str, Any]:
    from sluice import bootstrap

    server, forecast = measures["server"], json.loads(program.manifest)["forecast"]
    warm_ms = sorted(server["compute_ms"][1:])[(len(server["compute_ms"]) - 1) // 2]
    precision: Precision = measures["precision"]["all"]
    throughput = chosen.slots * precision.bits_of_mean * chosen.log_q_left / (warm_ms / 1000)
    parts = {
        "process_bytes": server["base_memory_bytes"],
        "key_bytes": 2 * forecast["key_bytes"],  # both halves, where the file has the seed of one
        "arena_bytes": forecast["arena_bytes"],
        "constant_bytes": server["constant_bytes"],
    }
    return {
        "preset": chosen.name,
        "backend": server["backend"],
        "log_n": chosen.log_n,
        "slots": chosen.slots,
        "order": chosen.order,
        "real": chosen.real,
        "rounds": chosen.rounds,
        "log_gain": chosen.log_gain,
        "nested": chosen.nested,
        "limbs": chosen.limbs,
        "special_limbs": chosen.special_limbs,
        "digits": chosen.digits,
        "secret": chosen.secret,
        "has_ephemeral": chosen.has_ephemeral,
        "cold_ms": server["compute_ms"][0],
        "warm_ms": warm_ms,
        "runs_ms": server["compute_ms"],
        "stages": server["stages"],
        "load_ms": server["load_ms"],
        "keygen_ms": measures["keygen_ms"],
        "compile_ms": measures["compile_ms"],
        "input_level": chosen.input_level,
        "result_level": chosen.result_level,
        "levels_left": chosen.levels_left,
        "log_q_left": chosen.log_q_left,
        "depth": chosen.depth,
        "precision": {part: one.to_json() for part, one in measures["precision"].items()},
        "forecast_bits": forecast.get("precision_bits"),
        "expected_bits": bootstrap.expected_bits(chosen, program),
        "log2_failure": chosen.log2_failure,
        "range": chosen.range,
        "security": {
            "insecure": chosen.insecure,
            "log_qp": chosen.log_qp,
            "row": chosen.security_row,
            "ephemeral_log_qp": chosen.ephemeral_log_qp if chosen.has_ephemeral else None,
            "ephemeral_row": chosen.ephemeral_security_row,
        },
        "key_bytes": measures["key_bytes"],
        "memory": {
            "peak_bytes": server["peak_memory_bytes"],
            "predicted_bytes": sum(parts.values()),
            "predicted": parts,
            "client_peak_bytes": peak_memory_bytes(),
        },
        "throughput_bits_per_s": throughput,
    }


def _rows(result: dict[str, Any]) -> list[tuple[str, str]]:
    from sluice.manifest import byte_text

    security, memory = result["security"], result["memory"]
    claim = "INSECURE, " if security["insecure"] else ""
    rows = [f"log QP {security['log_qp']:.1f} ({security['row'] or 'no row'})"]
    if result["has_ephemeral"]:
        rows.append(f"ephemeral {security['ephemeral_log_qp']:.1f} ({security['ephemeral_row'] or 'no row'})")
    return [
        ("preset", f"{result['preset']}, N = 2^{result['log_n']}, {result['slots']} slots, {result['backend']}"),
        ("form", _form_text(result)),
        ("security", claim + "; ".join(rows)),
        ("failure", f"2^{result['log2_failure']:.1f} a bootstrap (|I| up to {result['range']})"),
        ("time", f"cold {result['cold_ms']:.0f} ms, warm {result['warm_ms']:.0f} ms"),
        *(("stage", f"{stage['name']} {stage['ms']:.0f} ms") for stage in result["stages"]),
        ("left", f"{result['levels_left']} levels, log Q {result['log_q_left']:.0f}, between two bootstraps"),
        *(("precision", _precision_text(part, one)) for part, one in result["precision"].items()),
        ("throughput", f"2^{math.log2(result['throughput_bits_per_s']):.2f} bits/s"),
        ("keys", byte_text(result["key_bytes"])),
        ("memory", f"{byte_text(memory['peak_bytes'])}, predicted {byte_text(memory['predicted_bytes'])}"),
    ]


def _form_text(result: dict[str, Any]) -> str:
    rounds = f"{result['rounds']} rounds of {result['log_gain']} bits" if result["rounds"] > 1 else "1 round"
    return f"{'real' if result['real'] else 'complex'} slots, {result['order']}, {rounds}"


def _precision_text(part: str, precision: dict[str, float]) -> str:
    return (
        f"{part}: {precision['mean_bits']:.1f} bits in the mean, {precision['worst_bits']:.1f} at worst; "
        f"of the mean error {precision['bits_of_mean']:.1f}, of its deviation {precision['bits_of_std']:.1f}"
    )
