// RUN: sluice-opt --sink-divisions --verify-diagnostics %s

// expected-error @below {{the module has no 'rns.ring', whose primes the factors are computed from}}
func.func @no_ring(%x: !rns.poly<[0, 1], eval>) -> !rns.poly<[0], eval> {
  %d = rns.mod_down %x {by = [1]} : !rns.poly<[0, 1], eval> -> !rns.poly<[0], eval>
  return %d : !rns.poly<[0], eval>
}
