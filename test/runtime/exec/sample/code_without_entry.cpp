//===- code_without_entry.cpp - code that does not export what it should --------------------===//
#include <stdint.h>

extern "C" __attribute__((visibility("default"))) int32_t another_name() { return 0; }
