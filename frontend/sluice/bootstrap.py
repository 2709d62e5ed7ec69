"""Bootstraps with names: what fixes each, and programs that do nothing else (for benchmarks and tests).

>>> from sluice import bootstrap
>>> bootstrap.presets()
['set1', ...]
>>> program = bootstrap.program("set1")
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from sluice.errors import InvalidArgumentError, NotFoundError
from sluice.manifest import Manifest
from sluice.program import Options, Program, Source

if TYPE_CHECKING:
    from sluice._compiler import Bootstrap


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
) -> Bootstrap:
    """What fixes a preset, and what follows from it: levels, failure probability, security.

    It can be varied: vectors of fewer slots, a power of two; order "slots_to_coefficients_first"; real vectors only;
    several rounds, each of which adds `log_gain` bits; an arcsine of odd degree, 1 for none (docs/bootstrap.md).
    """
    from sluice import _compiler

    if preset not in presets():
        raise NotFoundError(f"there is no bootstrap preset {preset!r}; the presets are {', '.join(presets())}")
    try:
        return _compiler.plan_bootstrap(
            preset, slots=slots, order=order, real=real, rounds=rounds, arcsine_degree=arcsine_degree
        )
    except ValueError as error:
        raise InvalidArgumentError(str(error)) from None


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
) -> Program:
    """The program of one bootstrap, of a preset varied as `plan` says; see `program_of`."""
    chosen = plan(preset, slots=slots, order=order, real=real, rounds=rounds, arcsine_degree=arcsine_degree)
    return program_of(chosen, complex_values=complex_values, repeatable=repeatable, insecure=insecure)


def program_of(
    chosen: Bootstrap, *, complex_values: bool = False, repeatable: bool = False, insecure: bool = False
) -> Program:
    """The program of one bootstrap that `plan` gave: input z, output z, real or complex.

    A repeatable one takes what it gives: its input has the level and scale of its output.
    """
    if chosen.insecure and not insecure:
        raise InvalidArgumentError(f"preset {chosen.name!r} is for tests and comparisons; insecure=True accepts it")
    if chosen.real and complex_values:
        raise InvalidArgumentError("a bootstrap of real vectors has no complex values")
    options = Options(name=f"bootstrap_{chosen.name}", from_phase="settled")
    text = chosen.program(complex_values=complex_values, repeatable=repeatable)
    source = Source(text, f"<{chosen.name}>", options)
    result = source.compile("artifact")
    return Program(result.artifact, Manifest(result.manifest), source, json.loads(result.report_json))
