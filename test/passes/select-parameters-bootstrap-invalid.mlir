// What no bootstrap delivers is refused with what the best one does.
// RUN: sluice-opt --select-parameters=precision=45 --verify-diagnostics %s

module attributes {ckks.slots = 32 : i64} {
  // expected-error@below {{no bootstrap of 32 slots leaves 1 levels and has 45 bits; 44 bits are reachable}}
  func.func @precise(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.refresh %x : !ckks.ct
    return %0 : !ckks.ct
  }
}
