"""lit configuration of the GoogleTest binaries, wherever their sources are: all lie in ${build}/unit."""

import os

import lit.formats

# ruff: noqa: F821
# `config` and the site values come from the lit.site.cfg.py of the build folder.

config.name = "sluice-unit"
config.test_format = lit.formats.GoogleTest(".", "test")
config.test_format.test_suffixes = {"test", "tests"}
config.suffixes = []
config.test_source_root = os.path.join(config.sluice_build, "unit")
config.test_exec_root = config.test_source_root
for name in ("SLUICE_CPU", "SLUICE_THREADS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
