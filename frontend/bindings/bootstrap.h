//===- bootstrap.h - presets of bootstraps for Python -----------------------------------------===//
#ifndef SLUICE_FRONTEND_BINDINGS_BOOTSTRAP_H
#define SLUICE_FRONTEND_BINDINGS_BOOTSTRAP_H

#include <nanobind/nanobind.h>

namespace sluice::python {

/// Adds the class Bootstrap and the presets to the module of the compiler.
void bindBootstrap(nanobind::module_ &m);

} // namespace sluice::python

#endif // SLUICE_FRONTEND_BINDINGS_BOOTSTRAP_H
