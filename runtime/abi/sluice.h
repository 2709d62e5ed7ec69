//===- sluice.h - the C interface between compiled code and the runtime ---------------------===//
//
// Compiled code is one function, `sluice_program_run`, that calls the kernels of functions.def
// through a table of pointers. It owns nothing: every buffer belongs to the executor and is named
// by number.
//
//===----------------------------------------------------------------------------------------===//
#ifndef SLUICE_RUNTIME_ABI_SLUICE_H
#define SLUICE_RUNTIME_ABI_SLUICE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Version of this interface; an artifact built for a newer one is refused. Raised by every change
/// of functions.def, which only adds at its end.
#define SLUICE_ABI_VERSION 4u

/// Name of the symbol that an artifact's code section exports.
#define SLUICE_PROGRAM_SYMBOL "sluice_program_run"

/// The executor's state for one run. Opaque to compiled code.
typedef struct sluice_context sluice_context;

/// The body of a loop over limbs, in compiled code (`parallel_for` and `parallel_for_blocks` of
/// functions.def).
typedef void (*sluice_limb_body)(sluice_context *context, const struct sluice_functions *functions,
                                 uint32_t index, uint32_t scratch);

/// The kernels, in the order of functions.def. None of them returns a failure or throws. They trust
/// their arguments as code is trusted; a mistake that a backend does notice stays in the context.
typedef struct sluice_functions {
  uint32_t abiVersion; // SLUICE_ABI_VERSION
  uint32_t reserved;
#define SLUICE_FUNCTION_PARAMETERS(...) (sluice_context * context, __VA_ARGS__)
// NOLINTNEXTLINE(bugprone-macro-parentheses): `parameters` has its own
#define SLUICE_FUNCTION(name, parameters) void(*name) SLUICE_FUNCTION_PARAMETERS parameters;
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
#undef SLUICE_FUNCTION_PARAMETERS
} sluice_functions;

/// Type of the exported symbol. Returns 0.
typedef int32_t (*sluice_program_run_fn)(sluice_context *context,
                                         const sluice_functions *functions);

#ifdef __cplusplus
}
#endif
#endif // SLUICE_RUNTIME_ABI_SLUICE_H
