"""lit configuration: .mlir tests of dialects, passes and pipelines, .test scripts of the tools.

The GoogleTest binaries are a nested suite, test/unit. With SLUICE_OPT_CHECK_IR_ROUNDTRIP set in the environment every
sluice-opt also checks that its input survives printing and parsing (after CIRCT's test/lit.cfg.py).
"""

import os

import lit.formats
import lit.util

# ruff: noqa: F821
# `config`, `lit_config` and the site values (config.sluice_...) come from the lit.site.cfg.py of the build folder.

config.name = "sluice"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.sluice_build, "test")

# pytest runs these; inputs of tests are no tests.
config.excludes = ["python", "e2e", "reference", "fuzz", "compat", "runtime", "Inputs"]
if config.sluice_compiler:
    config.available_features.add("compiler")
else:
    config.excludes += ["dialects", "passes", "pipeline"]
if lit_config.params.get("slow"):
    config.available_features.add("slow")

path = [os.path.join(config.sluice_build, "bin"), config.llvm_tools, os.environ.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(filter(None, path))
for name in ("SLUICE_CPU", "SLUICE_THREADS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%python", config.python))
config.substitutions.append(("%source", config.sluice_source))
config.substitutions.append(("%build", config.sluice_build))
if lit.util.pythonize_bool(os.environ.get("SLUICE_OPT_CHECK_IR_ROUNDTRIP", "")):
    config.substitutions.append((r"\bsluice-opt\b", "sluice-opt --verify-roundtrip"))
