// RUN: sluice-opt --select-parameters=max-log-n=13 --split-input-file --verify-diagnostics %s

// expected-error@below {{the module has no ckks.slots; run pack-tensors first}}
module {
  func.func @unpacked(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    return %x : !ckks.ct
  }
}

// -----

module attributes {ckks.slots = 8 : i64} {
  // expected-error@below {{input 0 has no ckks.range; sizes cannot be chosen without it}}
  func.func @unbounded(%x: !ckks.ct) -> !ckks.ct {
    return %x : !ckks.ct
  }
}

// -----

// The range is promised, but the square of its end is no number.
module attributes {ckks.slots = 8 : i64} {
  func.func @overflow(%x: !ckks.ct {ckks.range = [-1.0e300, 1.0e300]}) -> !ckks.ct {
    // expected-error@below {{this value has no finite bounds}}
    %0 = ckks.square %x : !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

// 1000^8 is nearly 2^80.
module attributes {ckks.slots = 8 : i64} {
  // expected-error@below {{no parameters give 16 bits to a program of depth 3 with N <= 2^13 and 128 bits of security; its values need 114 bits at level 0: narrow the ranges}}
  func.func @large(%x: !ckks.ct {ckks.range = [-1000.0, 1000.0]}) -> !ckks.ct {
    %0 = ckks.square %x : !ckks.ct
    %1 = ckks.square %0 : !ckks.ct
    %2 = ckks.square %1 : !ckks.ct
    return %2 : !ckks.ct
  }
}

// -----

module attributes {ckks.slots = 8 : i64} {
  // expected-error@below {{no parameters give 16 bits to a program of depth 6 with N <= 2^13 and 128 bits of security; the deepest program that fits has depth 4: lower the degrees of polynomials, or split the program}}
  func.func @deep(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.square %x : !ckks.ct
    %1 = ckks.square %0 : !ckks.ct
    %2 = ckks.square %1 : !ckks.ct
    %3 = ckks.square %2 : !ckks.ct
    %4 = ckks.square %3 : !ckks.ct
    %5 = ckks.square %4 : !ckks.ct
    return %5 : !ckks.ct
  }
}

// -----

#shallow = #ckks.params<logN = 4, limbs = [1048609, 1048897], special = [1], levels = [[0]], digits = [[0]], slots = 8, security = 0>
module attributes {ckks.params = #shallow, ckks.slots = 8 : i64} {
  // expected-error@below {{the given parameters have 1 levels; the program needs 2}}
  func.func @shallow(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.square %x : !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

#full = #ckks.params<logN = 4, limbs = [1048609, 1048897, 1049057], special = [2], levels = [[0], [0, 1]], digits = [[0], [1]], slots = 8, security = 0>
module attributes {ckks.params = #full, ckks.slots = 8 : i64} {
  // expected-error@below {{the given level 0 has 20 bits; the values need 24: give it more, or narrow the ranges}}
  func.func @full(%x: !ckks.ct {ckks.range = [-8.0, 8.0]}) -> !ckks.ct {
    %0 = ckks.mul_scalar %x {value = 0.5} : !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

#small = #ckks.params<logN = 4, limbs = [1048609, 1048897], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #small, ckks.slots = 8 : i64} {
  // expected-error@below {{the given parameters have 4 slots; the packing needs 8}}
  func.func @small(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    return %x : !ckks.ct
  }
}

// -----

#weak = #ckks.params<logN = 4, limbs = [1048609, 1048897], special = [1], levels = [[0]], digits = [[0]], slots = 8, security = 128>
module attributes {ckks.params = #weak, ckks.slots = 8 : i64} {
  // expected-error@below {{the given parameters have log2(PQ) = 40 at N = 2^4: 128 bits of security allow 0}}
  func.func @weak(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    return %x : !ckks.ct
  }
}

// -----

// The error of an encryption, 4.4 bits a coefficient at N = 2^13 and 5.9 a slot of 8, times the slope 2^26 and the worst slot
// (2.3 bits): 34.2 bits off a scale of 2^50.
module attributes {ckks.slots = 8 : i64} {
  // expected-error@below {{no parameters give 16 bits to a program of depth 1 with N <= 2^13 and 128 bits of security; 15 bits are reachable}}
  func.func @imprecise(%x: !ckks.ct {ckks.range = [-33554432.0, 33554432.0]}) -> !ckks.ct {
    %0 = ckks.square %x : !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

// Slots that the largest admitted ring cannot hold.
module attributes {ckks.slots = 8192 : i64} {
  // expected-error@below {{8192 slots need N = 2^14; the largest ring allowed is N = 2^13}}
  func.func @slots(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    return %x : !ckks.ct
  }
}

// -----

module attributes {ckks.slots = 8 : i64} {
  func.func @complex(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    // expected-error@below {{operation 'ckks.mul_by_i' leaves the real numbers, whose ranges alone are analysed; settle levels and scales by hand and compile from the settled stage}}
    %0 = ckks.mul_by_i %x : !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

module attributes {ckks.slots = 8 : i64} {
  func.func private @other(!ckks.ct) -> !ckks.ct
  func.func @call(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    // expected-error@below {{operation 'func.call' does not work on slots}}
    %0 = func.call @other(%x) : (!ckks.ct) -> !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

module attributes {ckks.slots = 16 : i64} {
  // expected-error@below {{a bootstrap needs 32 slots; the program has 16: ask for a batch}}
  func.func @few_slots(%x: !ckks.ct {ckks.range = [-1.0, 1.0]}) -> !ckks.ct {
    %0 = ckks.refresh %x : !ckks.ct
    return %0 : !ckks.ct
  }
}

// -----

module attributes {ckks.slots = 32 : i64} {
  func.func @large_values(%x: !ckks.ct {ckks.range = [-4.0, 4.0]}) -> !ckks.ct {
    // expected-error@below {{a bootstrap takes values up to 1; these are up to 4: divide them before}}
    %0 = ckks.refresh %x : !ckks.ct
    return %0 : !ckks.ct
  }
}
