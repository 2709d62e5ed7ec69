"""Bootstraps with names: what fixes each, and programs that do nothing else (for benchmarks and tests).

>>> from sluice import bootstrap
>>> bootstrap.presets()
['set1', ...]
>>> program = bootstrap.program("set1")
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from sluice.errors import CompileError, InvalidArgumentError, NotFoundError
from sluice.manifest import Manifest
from sluice.program import Options, Program, Source

if TYPE_CHECKING:
    from sluice._compiler import Bootstrap

# Bits. The largest that a measured bootstrap lay below what was expected of it (docs/bootstrap.md).
FORECAST_MARGIN = 0.6
# Of a search whose programs are tried.
PLANS = 24


def presets() -> list[str]:
    """The names of all presets; those that start with insecure_ are for tests and comparisons."""
    from sluice import _compiler

    return _compiler.bootstrap_presets()


def plan(
    preset: str,
    *,
    slots: int | None = None,
    order: str | None = None,
    real: bool = False,
    rounds: int = 1,
    arcsine_degree: int | None = None,
    nested: bool = False,
) -> Bootstrap:
    """What fixes a preset, and what follows from it: levels, failure probability, security.

    It can be varied: vectors of fewer slots, a power of two; order "slots_to_coefficients_first"; real vectors only;
    several rounds, each of which adds `log_gain` bits; an arcsine of odd degree, 1 for none (docs/bootstrap.md). With
    nested, levels share no limbs, for comparisons.
    """
    from sluice import _compiler

    if preset not in presets():
        raise NotFoundError(f"there is no bootstrap preset {preset!r}; the presets are {', '.join(presets())}")
    try:
        return _compiler.plan_bootstrap(
            preset, slots=slots, order=order, real=real, rounds=rounds, arcsine_degree=arcsine_degree, nested=nested
        )
    except ValueError as error:
        raise InvalidArgumentError(str(error)) from None


def search(
    bits: float,
    *,
    slots: int = 2**15,
    failure: float = -128,
    log_n: int | None = None,
    secret: str = "uniform-ternary",
    real: bool = False,
    levels: int = 1,
    count: int = 8,
) -> list[Bootstrap]:
    """Plans whose results are expected to have that many bits (-log2 of the error's standard deviation), best first.

    The best one takes the least time for each level that it leaves. `failure` is log2 of the largest probability that a
    bootstrap fails; `levels` at least are left. One plan for each scale, range and degree; at most `count`.
    """
    from sluice import _compiler

    request: dict[str, Any] = {"slots": slots, "log2_failure": failure, "log_n": log_n or 0, "secret": secret}
    request |= {"real": real, "levels": levels}
    try:
        found = _compiler.search_bootstraps(bits=bits, count=count, **request)
        if not found:
            most = _compiler.most_bits(**request)
            reach = f"{most:g} are the most" if most else "none has, whatever the precision"
            raise InvalidArgumentError(
                f"no bootstrap of {slots} slots with {levels} levels left has {bits:g} bits: {reach}; ask for less, "
                "for fewer levels, or bootstrap in rounds"
            )
    except (ValueError, TypeError) as error:
        raise InvalidArgumentError(str(error)) from None
    return found


def find(bits: float, *, target: str = "cpu", **request: Any) -> tuple[Bootstrap, Program]:
    """The best plan of `search` that delivers so many bits by `expected_bits`, and its program.

    Plans of the search are compiled in turn, until one is expected to have FORECAST_MARGIN bits more; where none has,
    more is searched for. What programs lack of what the search expected of them is asked of further plans of that
    order, so that few are compiled. A plan whose values have no room on some level, which only its program shows, does
    not count. Values are complex unless real=True.
    """
    wanted = bits = bits + FORECAST_MARGIN
    lacking: dict[str, float] = {}
    for _ in range(4):
        for chosen in search(wanted, **request, count=PLANS):
            expected = chosen.expected_bits
            assert expected is not None, "a search knows what it expects"
            if expected - lacking.get(chosen.order, 0) < bits:
                continue
            try:
                compiled = program_of(chosen, complex_values=not chosen.real)
            except CompileError:
                continue
            got = expected_bits(chosen, compiled)
            if got >= bits and target != "cpu":
                compiled = program_of(chosen, complex_values=not chosen.real, target=target)
            if got >= bits:
                return chosen, compiled
            lacking[chosen.order] = max(lacking.get(chosen.order, 0), expected - got)
        wanted = max(wanted + 0.05, bits + min(lacking.values(), default=0))
    raise InvalidArgumentError(f"no bootstrap was found whose program is expected to have {bits:g} bits")


def expected_bits(chosen: Bootstrap, compiled: Program) -> float:
    """-log2 of the standard deviation of a result's error: noise, as the program's forecast has it, and the sine.

    A forecast is about the circuit's own function, which has the sine in place of the remainder.
    """
    noise: float = json.loads(compiled.manifest)["forecast"]["precision_bits"]
    if chosen.approximation_bits is None:
        return noise
    return -math.log2(4**-noise + 4**-chosen.approximation_bits) / 2


def program(
    preset: str,
    *,
    slots: int | None = None,
    order: str | None = None,
    real: bool = False,
    rounds: int = 1,
    arcsine_degree: int | None = None,
    complex_values: bool = False,
    repeatable: bool = False,
    insecure: bool = False,
    target: str = "cpu",
) -> Program:
    """The program of one bootstrap, of a preset varied as `plan` says; see `program_of`."""
    chosen = plan(preset, slots=slots, order=order, real=real, rounds=rounds, arcsine_degree=arcsine_degree)
    return program_of(chosen, complex_values=complex_values, repeatable=repeatable, insecure=insecure, target=target)


def program_of(
    chosen: Bootstrap,
    *,
    complex_values: bool = False,
    repeatable: bool = False,
    insecure: bool = False,
    target: str = "cpu",
) -> Program:
    """The program of one bootstrap that `plan` gave: input z, output z, real or complex.

    A repeatable one takes what it gives: its input has the level and scale of its output. `target` as for `compile`.
    """
    if chosen.insecure and not insecure:
        raise InvalidArgumentError(f"preset {chosen.name!r} is for tests and comparisons; insecure=True accepts it")
    if chosen.real and complex_values:
        raise InvalidArgumentError("a bootstrap of real vectors has no complex values")
    options = Options(name=f"bootstrap_{chosen.name}", from_phase="settled", target=target)
    text = chosen.program(complex_values=complex_values, repeatable=repeatable)
    source = Source(text, f"<{chosen.name}>", options)
    result = source.compile("artifact")
    return Program(result.artifact, Manifest(result.manifest), source, json.loads(result.report_json))
