// RUN: sluice-opt --rns-to-runtime --split-input-file --verify-diagnostics %s

// expected-error @below {{a module of phase fused has one function}}
module {
}

// -----

// expected-error @below {{the module has no 'sluice.keys', the list of evaluation keys that select-key-switching makes}}
module {
  func.func @no_keys() {
    return
  }
}

// -----

// expected-error @below {{'sluice.keys' holds "key", which is not {kind, limbs, digits} with an element for kind "galois"}}
module attributes {sluice.keys = ["key"]} {
  func.func @ill_formed_keys() {
    return
  }
}

// -----

// expected-error @below {{the module has no 'sluice.inputs' and 'sluice.outputs'}}
module attributes {sluice.keys = []} {
  func.func @no_ports() {
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  // expected-error @below {{argument 0 has no 'rns.slots'; run plan-memory first}}
  func.func @no_places(%x: !rns.poly<[0], eval>) {
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [{polynomials = 1}], sluice.outputs = []} {
  func.func @no_slots(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) attributes {rns.arena_slots = 1 : i64} {
    // expected-error @below {{has no 'rns.slots'; run plan-memory first}}
    %y = rns.negate %x : !rns.poly<[0], eval>
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  // expected-error @below {{has no 'rns.arena_slots'; run plan-memory first}}
  func.func @no_arena() {
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [{polynomials = 2}], sluice.outputs = []} {
  // expected-error @below {{does not have the polynomials that {polynomials = 2 : i64} describes}}
  func.func @too_few(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) attributes {rns.arena_slots = 1 : i64} {
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  // expected-error @below {{has 1 polynomials, but 0 are described}}
  func.func @too_many(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) attributes {rns.arena_slots = 1 : i64} {
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  func.func @not_a_function(%x: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 0, 1>}) attributes {rns.arena_slots = 3 : i64} {
    // expected-error @below {{has no function in functions.def; run expand-base-changes first}}
    %y = rns.rescale %x {rns.slots = array<i32: 2>} : !rns.poly<[0, 1], eval> -> !rns.poly<[0], eval>
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  func.func @constant(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) attributes {rns.arena_slots = 2 : i64} {
    %c = rns.constant {kind = slots, values = dense<[1.0]> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0], eval>
    // expected-error @below {{cannot read a constant; only add, mul and mac can}}
    %y = rns.sub %x, %c {rns.slots = array<i32: 1>} : !rns.poly<[0], eval>
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  func.func @constants() attributes {rns.arena_slots = 1 : i64} {
    %c = rns.constant {kind = slots, values = dense<[1.0]> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0], eval>
    // expected-error @below {{of two constants should have been computed by the compiler}}
    %y = rns.add %c, %c {rns.slots = array<i32: 0>} : !rns.poly<[0], eval>
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  func.func @accumulator(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) attributes {rns.arena_slots = 2 : i64} {
    %c = rns.constant {kind = slots, values = dense<[1.0]> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !rns.poly<[0], eval>
    // expected-error @below {{can read one constant, as a factor}}
    %y = rns.mac %c, %x, %x {rns.slots = array<i32: 1>} : !rns.poly<[0], eval>
    return
  }
}

// -----

module attributes {sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  func.func @unknown_key(%x: !rns.poly<[0, 1], eval> {rns.slots = array<i32: 0, 1>}) attributes {rns.arena_slots = 6 : i64} {
    %k = rns.key {kind = relinearize} : !rns.key<limbs = [1, 0], digits = [[0]]>
    // expected-error @below {{uses a key that is not in 'sluice.keys'}}
    %b, %a = rns.inner_product %x with %k {key_digits = [0]} attributes {rns.slots = array<i32: 2, 3, 4, 5>} : !rns.poly<[0, 1], eval> with !rns.key<limbs = [1, 0], digits = [[0]]> -> !rns.poly<[0, 1], eval>
    return
  }
}

// -----

module attributes {sluice.inputs = [], sluice.outputs = [],
                   sluice.keys = [{kind = "relinearize", limbs = array<i64: 1, 0>, digits = [array<i64: 0>]}]} {
  func.func @digits(%x: !rns.digits<[0], groups = [[0]], over = [0, 1]> {rns.slots = array<i32>})
      attributes {rns.arena_slots = 4 : i64} {
    %k = rns.key {kind = relinearize} : !rns.key<limbs = [1, 0], digits = [[0]]>
    // expected-error @below {{has digits that are no polynomials yet; run expand-base-changes first}}
    %b, %a = rns.inner_product %x with %k attributes {rns.slots = array<i32: 0, 1, 2, 3>} : !rns.digits<[0], groups = [[0]], over = [0, 1]> with !rns.key<limbs = [1, 0], digits = [[0]]> -> !rns.poly<[0, 1], eval>
    return
  }
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17]>, sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  func.func @no_scratch(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) attributes {rns.arena_slots = 2 : i64} {
    %r = rns.limb_kernel %x {rns.slots = array<i32: 1>} : (!rns.poly<[0], eval>) -> !rns.poly<[0], eval> {
    ^bb0(%a: !rns.poly<[0], eval>):
      // expected-error @below {{'rns.negate' op has no 'rns.scratch'; run plan-memory first}}
      %n = rns.negate %a : !rns.poly<[0], eval>
      rns.yield %n : !rns.poly<[0], eval>
    }
    return
  }
}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17]>, sluice.keys = [], sluice.inputs = [], sluice.outputs = []} {
  func.func @wrong_scratch(%x: !rns.poly<[0], eval> {rns.slots = array<i32: 0>}) attributes {rns.arena_slots = 2 : i64} {
    %r = rns.limb_kernel %x {rns.slots = array<i32: 1>} : (!rns.poly<[0], eval>) -> !rns.poly<[0], eval> {
    ^bb0(%a: !rns.poly<[0], eval>):
      // expected-error @below {{'rns.negate' op has 'rns.scratch' -2, but its rns.limb_kernel has 1 results}}
      %n = rns.negate %a {rns.scratch = array<i32: -2>} : !rns.poly<[0], eval>
      rns.yield %n : !rns.poly<[0], eval>
    }
    return
  }
}
