// Every message of the types and attributes of the rns dialect.
// RUN: sluice-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{a polynomial needs at least one limb}}
func.func private @poly_c1(!rns.poly<[], eval>)

// -----

// expected-error @+1 {{limb 1 is listed twice}}
func.func private @poly_c2(!rns.poly<[1, 0, 1], eval>)

// -----

// expected-error @+1 {{limb index must not be negative; found -1}}
func.func private @poly_c2_negative(!rns.poly<[-1], eval>)

// -----

// expected-error @+1 {{digits need at least one limb}}
func.func private @digits_c1(!rns.digits<[]>)

// -----

// expected-error @+1 {{limb 3 is listed twice}}
func.func private @digits_c2(!rns.digits<[0], groups = [[0]], over = [0, 3, 3]>)

// -----

// expected-error @+1 {{chosen digits need both their groups and the limbs that they are over}}
func.func private @digits_c3(!rns.digits<[0], groups = [[0]], over = []>)

// -----

// expected-error @+1 {{group 1 has no limb}}
func.func private @digits_c4_empty(!rns.digits<[0], groups = [[0], []], over = [0]>)

// -----

// expected-error @+1 {{limb 2 of group 0 is not among the limbs}}
func.func private @digits_c4_foreign(!rns.digits<[0, 1], groups = [[2]], over = [0, 1, 2]>)

// -----

// expected-error @+1 {{limb 0 is in two groups}}
func.func private @digits_c4_twice(!rns.digits<[0, 1], groups = [[0], [0]], over = [0, 1]>)

// -----

// expected-error @+1 {{the groups have 1 of the 2 limbs}}
func.func private @digits_c4_rest(!rns.digits<[0, 1], groups = [[0]], over = [0, 1]>)

// -----

// expected-error @+1 {{limb 1 is not among the limbs that the digits are over}}
func.func private @digits_c5(!rns.digits<[0, 1], groups = [[0], [1]], over = [0, 2]>)

// -----

// expected-error @+1 {{a chosen key needs both its limbs and its digits}}
func.func private @key_c1(!rns.key<limbs = [0, 1], digits = []>)

// -----

// expected-error @+1 {{limb 0 is listed twice}}
func.func private @key_c2(!rns.key<limbs = [0, 0], digits = [[0]]>)

// -----

// expected-error @+1 {{digit 0 has no limb}}
func.func private @key_c3(!rns.key<limbs = [0, 1], digits = [[]]>)

// -----

// expected-error @+1 {{limb 2 of digit 0 is not among the limbs}}
func.func private @key_c4(!rns.key<limbs = [0, 1], digits = [[2]]>)

// -----

// expected-error @+1 {{limb 1 is in two digits}}
func.func private @key_c5(!rns.key<limbs = [0, 1], digits = [[1], [1]]>)

// -----

// expected-error @+1 {{the key has no limb of P: every limb is in a digit}}
func.func private @key_c6_none(!rns.key<limbs = [0, 1], digits = [[0], [1]]>)

// -----

// expected-error @+1 {{limb 0 of a digit stands before the limbs of P end: the limbs of P come first}}
func.func private @key_c6_order(!rns.key<limbs = [0, 1], digits = [[0]]>)

// -----

// expected-error @+1 {{logN must be between 1 and 17; found 0}}
module attributes {test.ring_c1 = #rns.ring<logN = 0, primes = [17]>} {}

// -----

// expected-error @+1 {{a ring has between 1 and 65536 primes; found 0}}
module attributes {test.ring_c2 = #rns.ring<logN = 3, primes = []>} {}

// -----

// expected-error @+1 {{prime 0 = 1125899906842625 is not below 2^50 and 1 modulo 2N = 16}}
module attributes {test.ring_c3 = #rns.ring<logN = 3, primes = [1125899906842625]>} {}

// -----

// expected-error @+1 {{prime 1 = 41 is not below 2^50 and 1 modulo 2N = 16}}
module attributes {test.ring_c3 = #rns.ring<logN = 3, primes = [17, 41]>} {}

// -----

// expected-error @+1 {{prime 1 = 17 is in the table twice}}
module attributes {test.ring_c4 = #rns.ring<logN = 3, primes = [17, 17]>} {}

// -----

// expected-error @+1 {{'rns.ring' must be a #rns.ring attribute on the module; found 3 : i64}}
module attributes {rns.ring = 3} {}

// -----

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97]>} {
// expected-error @+1 {{limb 2 of '!rns.poly<[0, 2], eval>' does not exist: 'rns.ring' has 2 primes}}
func.func @limb_outside(%a: !rns.poly<[0, 2], eval>) {
  return
}
}

// -----

func.func @slots_kind(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{'rns.slots' must be arena slots, as in array<i32: 0, 1>; found array<i64: 0, 1>}}
  %0 = rns.negate %a {rns.slots = array<i64: 0, 1>} : !rns.poly<[0, 1], eval>
  return
}

// -----

func.func @slots_count(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @+1 {{'rns.slots' has 1 slots for 2 limbs}}
  %0 = rns.negate %a {rns.slots = array<i32: 0>} : !rns.poly<[0, 1], eval>
  return
}

// -----

// expected-error @+1 {{argument 0: 'rns.slots' has 1 slots for 2 limbs}}
func.func private @slots_argument(!rns.poly<[0, 1], eval> {rns.slots = array<i32: 0>})

// -----

// expected-error @+1 {{argument 0: has unknown attribute 'rns.slot'; the rns dialect defines 'rns.slots' here}}
func.func private @unknown_argument(!rns.poly<[0, 1], eval> {rns.slot = 1})

// -----

// expected-error @+1 {{'rns.arena_slots' must be an i64 on a function, not negative; found -1 : i64}}
func.func private @arena() attributes {rns.arena_slots = -1}

// -----

// expected-error @+1 {{has unknown attribute 'rns.rings'; the rns dialect defines 'rns.ring' on modules, 'rns.arena_slots' on functions, 'rns.slots' on operations}}
module attributes {rns.rings = 4} {}

// -----

func.func @scratch(%a: !rns.poly<[0, 1], eval>) {
  // expected-error @below {{'rns.scratch' must have one number for each result of an operation in an rns.limb_kernel; found array<i32: 0>}}
  %0 = rns.negate %a {rns.scratch = array<i32: 0>} : !rns.poly<[0, 1], eval>
  return
}
