//===- code_calls_puts.cpp - code that calls what it was not given --------------------------===//
#include "runtime/abi/sluice.h"

extern "C" int puts(const char *text);

extern "C" __attribute__((visibility("default"))) int32_t
sluice_program_run(sluice_context *, const sluice_functions *) {
  return puts("outside");
}
