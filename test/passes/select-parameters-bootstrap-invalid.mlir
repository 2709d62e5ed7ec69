// What no bootstrap delivers is refused with what the best one does.
// RUN: sluice-opt --select-parameters=precision=60 --verify-diagnostics %s

module attributes {ckks.slots = 32 : i64} {
  // expected-error-re@below {{no bootstrap of 32 slots leaves 1 levels and has 60 bits; {{4[0-9]}} bits are reachable}}
  func.func @precise(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.refresh %x : !ckks.ct
    return %0 : !ckks.ct
  }
}
