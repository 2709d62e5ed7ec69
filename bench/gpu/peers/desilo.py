"""DESILO FHE on one GPU: its bootstraps of all slots, a product, a rotation and a rescaling, at N = 2^16.

Usage: PYTHONPATH=SITE python3 bench/gpu/peers/desilo.py [--runs N] [--variants METHOD:KEY:STAGES:ENGINE,…]   (prints JSON)

SITE is where desilofhe-cu130 1.17.0 was installed; 2.0 has another API and PTX that a driver for CUDA 13.0 does not take.
Its licence is for non-commercial use, forbids to pass the library on and wants this said: This work uses the DESILO FHE
library developed by DESILO Inc. (https://desilo.ai)

Equal to our bootstraps: the ring, all 32768 slots, values (complex, both parts uniform in -1 ... 1), a uniform ternary
secret, log QP below the Guidelines' 1747, the definition of precision. Not equal: levels, their scale, log Q left (in each
entry); an ephemeral secret's weight and the probability of failure, which it does not tell. `lossy_bootstrap` has
SlotsToCoeffs first and takes a ciphertext at level STAGES, `merge_bootstrap` two ciphertexts of real values, KEY `small`
has the rotations by powers of two only. Its code is PTX for sm_75, compiled at a machine's first use, outside all times.
A time is from the call until the device is idle; `returned_ms` is when the call came back. Operands of the product and of
the rotation are rescaled, results are not.

--mode parallel --slots 16 --variants bootstrap:medium:1:levels10 tries this script on a CPU.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import importlib.metadata
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

# Limbs of Q | P in bits, those of 1.17.0 as its serialised plaintexts, secret keys and evaluation keys have them.
ENGINES: dict[str, tuple[str, dict[str, Any]]] = {
    "levels10": ("use_bootstrap", {"log_qp": 1704, "limbs": "60 + 26 x 54 | 4 x 60", "level_bits": 54}),
    "levels14": (
        "use_bootstrap_to_14_levels",
        {"log_qp": 1710, "limbs": "60 + 15 x 40 + 15 x 54 | 4 x 60", "level_bits": 40},
    ),
    "levels17": (
        "use_bootstrap_to_17_levels",
        {"log_qp": 1739, "limbs": "60 + 18 x 40 + 29 + 12 x 54 + 42 | 4 x 60", "level_bits": 40},
    ),
}
VARIANTS = """bootstrap:large:3:levels10 bootstrap:large:5:levels10 bootstrap:medium:3:levels10 bootstrap:small:3:levels10
    merge_bootstrap:large:3:levels10 lossy_bootstrap:large:3:levels10 lossy_bootstrap:large:5:levels10
    bootstrap:large:3:levels14 bootstrap:large:3:levels17""".split()


class Device:
    """The driver's view of the context that the library uses too: names, memory, and waiting until it is idle."""

    def __init__(self, mode: str) -> None:
        self.gpu, self.asynchronous, self.about = "gpu" in mode, mode == "async gpu", {"device": "cpu"}
        if not self.gpu:
            return
        context, name, version = ctypes.c_void_p(), ctypes.create_string_buffer(256), ctypes.c_int()
        try:
            self.cuda = ctypes.CDLL("libcuda.so.1")
        except OSError:
            sys.exit("desilo: there is no GPU here: libcuda.so.1 is missing")
        if self.cuda.cuInit(0) or self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0):
            sys.exit("desilo: there is no GPU here that the driver can use")
        self.check(self.cuda.cuCtxSetCurrent(context))
        self.check(self.cuda.cuDeviceGetName(name, 256, 0))
        self.check(self.cuda.cuDriverGetVersion(ctypes.byref(version)))
        driver = f"{version.value // 1000}.{version.value % 1000 // 10}"
        self.about = {"device": name.value.decode(), "driver_cuda": driver}

    def check(self, status: int) -> None:
        if status:
            raise RuntimeError(f"CUDA driver: error {status}")

    def wait(self, engine: Any) -> None:
        if self.asynchronous:
            engine.sync()
        if self.gpu:
            self.check(self.cuda.cuCtxSynchronize())

    def used_bytes(self) -> int:
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        if self.gpu:
            self.check(self.cuda.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)))
        return total.value - free.value

    def measure(self, engine: Any, call: Callable[[], Any], runs: int) -> tuple[Any, dict[str, Any]]:
        """The result of the last of `runs` calls after one that is cold."""
        whole, returned, result = [], [], None
        for _ in range(runs + 1):
            result = None  # the last one's memory
            self.wait(engine)
            start = time.perf_counter()
            result = call()
            returned.append((time.perf_counter() - start) * 1e3)
            self.wait(engine)
            whole.append((time.perf_counter() - start) * 1e3)
        times: dict[str, Any] = {"cold_ms": whole[0], "median_ms": statistics.median(whole[1:]), "runs_ms": whole[1:]}
        return result, times | {"returned_ms": statistics.median(returned[1:])}


def precision(values: Any, expected: Any) -> dict[str, float]:
    errors = np.concatenate([part(np.asarray(values) - expected) for part in (np.real, np.imag)])
    if not np.iscomplexobj(expected):
        errors = errors[: expected.size]
    return {"bits": float(-np.log2(errors.std())), "worst_bits": float(-np.log2(np.abs(errors).max()))}


def bootstraps(engine: Any, device: Device, method: str, size: str, stages: int, runs: int) -> dict[str, Any]:
    secret, start = engine.create_secret_key(), time.perf_counter()
    keys = [engine.create_relinearization_key(secret), engine.create_conjugation_key(secret)]
    if size == "small":
        keys += [engine.create_rotation_key(secret), engine.create_small_bootstrap_key(secret)]
    else:
        keys.append(getattr(engine, f"create_{method}_key")(secret, stage_count=stages, size=size))
    device.wait(engine)
    entry: dict[str, Any] = {"keygen_s": time.perf_counter() - start, "key_bytes": sum(key.nbytes for key in keys)}
    entry["keys_on_device"] = all(key.is_cuda for key in keys)
    rng, slots, merged = np.random.default_rng(1), engine.slot_count, method == "merge_bootstrap"
    parts = rng.uniform(-1, 1, (2, slots))
    values = list(parts) if merged else [parts[0] + 1j * parts[1]]
    level = stages if method == "lossy_bootstrap" else 0
    inputs = [engine.level_down(engine.encrypt(value, secret), level) for value in values]
    options = {"stage_count": stages} if size == "small" else {}
    results, times = device.measure(engine, lambda: getattr(engine, method)(*inputs, *keys, **options), runs)
    results = results if merged else (results,)
    decrypted = np.array([engine.decrypt(result, secret) for result in results])
    before = precision(np.array([engine.decrypt(each, secret) for each in inputs]).ravel(), np.array(values).ravel())
    entry |= {"level_before": level, "bits_before": before["bits"], "levels_after": results[0].level, **times}
    return entry | precision(decrypted.ravel(), np.array(values).ravel()) | {"device_bytes": device.used_bytes()}


def operations(engine: Any, device: Device, runs: int) -> dict[str, Any]:
    secret, values = engine.create_secret_key(), np.random.default_rng(1).uniform(-1, 1, engine.slot_count)
    relinearisation, rotation = engine.create_relinearization_key(secret), engine.create_fixed_rotation_key(secret, 1)
    operand = engine.rescale(engine.encrypt(values, secret))
    product, times = device.measure(engine, lambda: engine.multiply(operand, operand, relinearisation), runs)
    table = {"multiply_relinearise": times | precision(engine.decrypt(product, secret), values**2)}
    rescaled, times = device.measure(engine, lambda: engine.rescale(product), runs)
    table["rescale"] = times | precision(engine.decrypt(rescaled, secret), values**2)
    rotated, times = device.measure(engine, lambda: engine.rotate(operand, rotation), runs)
    table["rotate"] = times | precision(engine.decrypt(rotated, secret), np.roll(values, 1))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, help="warm ones; one cold run comes before")
    parser.add_argument("--mode", default="gpu", help="'gpu', 'async gpu', 'parallel' or 'cpu'")
    parser.add_argument("--slots", type=int, default=1 << 15)
    parser.add_argument("--variants", default=",".join(VARIANTS))
    arguments = parser.parse_args()
