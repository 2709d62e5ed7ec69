"""Packs what a bare GPU machine needs: libraries' sources and objects, and programs compiled here for `cuda`.

Usage: python bench/gpu/pack.py [--presets set1,…] [--levels 28,…] [--no-demo] [--output build/gpu-bundle]

The machine has nvcc, CMake and a compiler for the host, no LLVM and no network: bench/gpu/run.sh builds the runtime
there from this repository and the bundle. Keys are not packed; they are made there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = Path("/usr/include")
LIMIT = 64 << 20


def pack_libraries(bundle: Path) -> None:
    """libsodium as an archive, since its sources need autotools; nlohmann_json and GoogleTest as sources."""
    include = bundle / "include"
    shutil.copytree(INCLUDE / "nlohmann", include / "nlohmann")
    shutil.copytree(INCLUDE / "sodium", include / "sodium")
    shutil.copy(INCLUDE / "sodium.h", include)
    directory = subprocess.run(
        ["pkg-config", "--variable=libdir", "libsodium"], check=True, capture_output=True, text=True
    ).stdout.strip()
    (bundle / "lib").mkdir()
    shutil.copy(Path(directory) / "libsodium.a", bundle / "lib")
    shutil.copytree(
        "/usr/src/googletest", bundle / "googletest", ignore=shutil.ignore_patterns("test", "samples", "docs")
    )


def pack_programs(bundle: Path, presets: list[str]) -> None:
    """Bootstraps of real values, with values to run them on; they are what is expected of them, too."""
    from sluice import bootstrap

    for name in presets:
        preset, _, order = name.partition(":")
        chosen = bootstrap.plan(preset, order=order or None)
        folder = bundle / "programs" / (f"{preset}_{order}" if order else preset)
        folder.mkdir(parents=True)
        program = bootstrap.program_of(chosen, insecure=chosen.insecure, target="cuda")
        program.save(folder / "program.sluice")
        np.save(folder / "input.npy", np.random.default_rng(1).uniform(-1, 1, chosen.slots))
        about = {"preset": preset, "log_n": chosen.log_n, "slots": chosen.slots, "levels_left": chosen.levels_left}
        about |= {"log_q_left": chosen.log_q_left, "log_qp": chosen.log_qp, "insecure": chosen.insecure}
        (folder / "about.json").write_text(json.dumps(about) + "\n")


def settled(parameters: str, body: list[str]) -> str:
    return "\n".join([parameters, "module attributes {ckks.params = #params} {", *body, "}", ""])


def operations(preset: str, level: int) -> dict[str, str]:
    """Programs of one operation each at a level of a preset's chain, with scales that are settled."""
    from sluice import bootstrap

    text = bootstrap.plan(preset).program(complex_values=False, repeatable=False)
    parameters = text[: text.index("module attributes")]
    levels = [set(json.loads(found)) for found in re.findall(r"\[[\d, ]+\]", parameters.split("levels =")[1])]
    divided = "".join(
        [f" * q{limb}^-1" for limb in sorted(levels[level] - levels[level - 1])]
        + [f" * q{limb}" for limb in sorted(levels[level - 1] - levels[level])]
    )
    ct = f"!ckks.ct<level = {level}, scale = 2^50>"
    wide, square = f"!ckks.ct<level = {level}, scale = 2^100, size = 3>", f"!ckks.ct<level = {level}, scale = 2^100>"
    product = f"!ckks.ct<level = {level - 1}, scale = 2^100{divided}>"
    shape = "ckks.range = [-1.0, 1.0], ckks.layout = #layout"
    result = '{ckks.name = "z", ckks.layout = #layout}'
    x, y = (f'%{name}: {ct} {{ckks.name = "{name}", {shape}}}' for name in "xy")
    return {
        f"multiply_{level}": settled(
            parameters,
            [
                f"func.func @multiply({x}, {y}) -> ({product} {result}) {{",
                f"  %0 = ckks.mul %x, %y : {ct}, {ct} -> {wide}",
                f"  %1 = ckks.relinearize %0 : {wide} -> {square}",
                f"  %2 = ckks.rescale %1 : {square} -> {product}",
                f"  return %2 : {product}",
                "}",
            ],
        ),
        f"rotate_{level}": settled(
            parameters,
            [
                f"func.func @rotate({x}) -> ({ct} {result}) {{",
                f"  %0 = ckks.rotate %x {{by = 1}} : {ct}",
                f"  return %0 : {ct}",
                "}",
            ],
        ),
    }


def pack_operations(bundle: Path, preset: str, levels: list[int]) -> None:
    """A product with its relinearisation and rescale, and a rotation, at some levels."""
    from sluice.program import Options, Source

    for level in levels:
        for name, text in operations(preset, level).items():
            folder = bundle / "programs" / name
            folder.mkdir(parents=True)
            result = Source(text, f"<{name}>", Options(name=name, from_phase="settled", target="cuda")).compile(
                "artifact"
            )
            (folder / "program.sluice").write_bytes(result.artifact)
            slots = 1 << 15
            x, y = (np.random.default_rng(seed).uniform(-1, 1, slots) for seed in (1, 2))
            np.save(folder / "input.x.npy", x)
            if name.startswith("multiply"):
                np.save(folder / "input.y.npy", y)
            np.save(folder / "expected.npy", x * y if name.startswith("multiply") else np.roll(x, -1))


def pack_demo(bundle: Path) -> None:
    """examples/breast_cancer.py: its model, its test rows and what its twin makes of them."""
    import sluice as sl

    folder = bundle / "programs" / "demo"
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as work:
        os.environ["SLUICE_DEMO"] = work
        (Path(work) / "server").mkdir()
        sys.path.insert(0, str(ROOT / "examples"))
        import breast_cancer

        rows, _ = breast_cancer.train()
        import breast_cancer_model

    program = sl.compile(breast_cancer_model.score, precision=breast_cancer.PRECISION, batch=len(rows), target="cuda")
    program.save(folder / "program.sluice")
    np.save(folder / "input.npy", rows)
    np.save(folder / "expected.npy", program.simulate(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--presets", default="insecure_tiny,set1", help="bootstraps to pack, each as PRESET or PRESET:ORDER"
    )
    parser.add_argument("--levels", default="28,13", help="of set1, for single operations; none if empty")
    parser.add_argument("--no-demo", action="store_true", help="without the program of examples/breast_cancer.py")
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "gpu-bundle")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.output, ignore_errors=True)
    arguments.output.mkdir(parents=True)
    pack_libraries(arguments.output)
    pack_programs(arguments.output, [name for name in arguments.presets.split(",") if name])
    pack_operations(arguments.output, "set1", [int(level) for level in arguments.levels.split(",") if level])
    if not arguments.no_demo:
        pack_demo(arguments.output)
    size = sum(file.stat().st_size for file in arguments.output.rglob("*") if file.is_file())
    print(f"{arguments.output}: {size / 1e6:.1f} MB")
    if size > LIMIT:
        sys.exit(f"pack: more than {LIMIT >> 20} MiB; pack fewer programs")


if __name__ == "__main__":
    main()
