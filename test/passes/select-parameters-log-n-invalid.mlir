// A ring that cannot be had. sluice-opt takes the options; the error is the function's.

// RUN: not sluice-opt --select-parameters=log-n=18 %s 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: :[[#@LINE+8]]:3: error: log-n = 18 is too large; the largest is 17
// RUN: not sluice-opt --select-parameters=log-n=11 %s 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not sluice-opt --select-parameters=max-log-n=11 %s 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: error: a ring of N = 2^11 is too small; the smallest one with 128 bits of security is N = 2^12
// RUN: not sluice-opt "--select-parameters=log-n=9 insecure" %s 2>&1 | FileCheck %s --check-prefix=TINY
// TINY: error: a ring of N = 2^9 is too small; the smallest one is N = 2^10

module attributes {ckks.slots = 8 : i64} {
  func.func @identity(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    return %x : !ckks.ct
  }
}
