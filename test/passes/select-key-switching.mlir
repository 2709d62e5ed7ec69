// RUN: sluice-opt --select-key-switching --split-input-file %s | FileCheck %s

// The fixed digits are {0, 1}, {3}, {2}; P is limb 4. At limbs 0 1 2 the digit {3} is dead: two digits. At limbs 3 2 the first
// one is dead. The relinearisation key serves both levels, so it has all limbs and all digits; the Galois keys serve one
// level each. Keys: relinearisation first, then by element, though the program uses 13 before 5.

#params = #ckks.params<logN = 3, limbs = [17, 97, 193, 113, 1697], special = [4], levels = [[3, 2], [0, 1, 2]],
                       digits = [[0, 1], [3], [2]], slots = 4, security = 0>
#ring = #rns.ring<logN = 3, primes = [17, 97, 193, 113, 1697]>

// CHECK: sluice.key_switches = 4 : i64
// CHECK-SAME: sluice.keys = [
// CHECK-SAME: {digits = [array<i64: 0, 1>, array<i64: 3>, array<i64: 2>], kind = "relinearize", limbs = array<i64: 4, 0, 1, 3, 2>},
// CHECK-SAME: {digits = [array<i64: 3>, array<i64: 2>], element = 5 : i64, kind = "galois", limbs = array<i64: 4, 3, 2>},
// CHECK-SAME: {digits = [array<i64: 0, 1>, array<i64: 2>], element = 13 : i64, kind = "galois", limbs = array<i64: 4, 0, 1, 2>}]
module attributes {ckks.params = #params, rns.ring = #ring} {
  // CHECK-LABEL: func.func @levels(
  func.func @levels(%x: !rns.poly<[0, 1, 2], eval>, %y: !rns.poly<[3, 2], eval>)
      -> (!rns.poly<[0, 1, 2, 4], eval>, !rns.poly<[0, 1, 2, 4], eval>, !rns.poly<[3, 2, 4], eval>, !rns.poly<[3, 2, 4], eval>) {
    // CHECK: %[[R:.*]] = rns.key {kind = relinearize} : !rns.key<limbs = [4, 0, 1, 3, 2], digits = {{\[\[}}0, 1], [3], [2]]>
    %r = rns.key {kind = relinearize} : !rns.key
    // CHECK: %[[G13:.*]] = rns.key {kind = galois, element = 13} : !rns.key<limbs = [4, 0, 1, 2], digits = {{\[\[}}0, 1], [2]]>
    %g13 = rns.key {kind = galois, element = 13} : !rns.key
    // CHECK: %[[G5:.*]] = rns.key {kind = galois, element = 5} : !rns.key<limbs = [4, 3, 2], digits = {{\[\[}}3], [2]]>
    %g5 = rns.key {kind = galois, element = 5} : !rns.key

    // One decomposition, used twice: one mod_up.
    // CHECK: %[[D:.*]] = rns.decompose %arg0
    // CHECK: %[[U:.*]] = rns.mod_up %[[D]] : !rns.digits<[0, 1, 2]> -> !rns.digits<[0, 1, 2], groups = {{\[\[}}0, 1], [2]], over = [0, 1, 2, 4]>
    // CHECK-NOT: rns.mod_up
    // CHECK: rns.inner_product %[[U]] with %[[R]]
    // CHECK: rns.inner_product %[[U]] with %[[G13]]
    %d = rns.decompose %x : !rns.poly<[0, 1, 2], eval> -> !rns.digits<[0, 1, 2]>
    %b0, %a0 = rns.inner_product %d with %r : !rns.digits<[0, 1, 2]> with !rns.key -> !rns.poly<[0, 1, 2, 4], eval>
    %b1, %a1 = rns.inner_product %d with %g13 : !rns.digits<[0, 1, 2]> with !rns.key -> !rns.poly<[0, 1, 2, 4], eval>

    // CHECK: rns.mod_up {{.*}} groups = {{\[\[}}3], [2]], over = [3, 2, 4]>
    %e = rns.decompose %y : !rns.poly<[3, 2], eval> -> !rns.digits<[3, 2]>
    %b2, %a2 = rns.inner_product %e with %r : !rns.digits<[3, 2]> with !rns.key -> !rns.poly<[3, 2, 4], eval>
    %b3, %a3 = rns.inner_product %e with %g5 : !rns.digits<[3, 2]> with !rns.key -> !rns.poly<[3, 2, 4], eval>
    %s0 = rns.add %b0, %b1 : !rns.poly<[0, 1, 2, 4], eval>
    %s1 = rns.add %a0, %a1 : !rns.poly<[0, 1, 2, 4], eval>
    %s2 = rns.add %b2, %b3 : !rns.poly<[3, 2, 4], eval>
    %s3 = rns.add %a2, %a3 : !rns.poly<[3, 2, 4], eval>
    return %s0, %s1, %s2, %s3 : !rns.poly<[0, 1, 2, 4], eval>, !rns.poly<[0, 1, 2, 4], eval>, !rns.poly<[3, 2, 4], eval>, !rns.poly<[3, 2, 4], eval>
  }
}

// -----

// The key for the ephemeral secret adds a limb of its own, 4, and has a digit for each limb that level 0 has, though the
// chain's digits hold both in one. The key back is one like any other.

#params = #ckks.params<logN = 3, limbs = [17, 97, 193, 1697, 113], special = [3], levels = [[0, 1], [0, 1, 2]],
                       digits = [[0, 1], [2]], slots = 4, security = 0, ephemeral = "ephemeral-32", ephemeral_special = [4]>
#ring = #rns.ring<logN = 3, primes = [17, 97, 193, 1697, 113]>

// CHECK: sluice.keys = [
// CHECK-SAME: {digits = [array<i64: 0>, array<i64: 1>], kind = "to_ephemeral", limbs = array<i64: 4, 0, 1>},
// CHECK-SAME: {digits = [array<i64: 0, 1>, array<i64: 2>], kind = "to_main", limbs = array<i64: 3, 0, 1, 2>}]
module attributes {ckks.params = #params, rns.ring = #ring} {
  // CHECK-LABEL: func.func @secrets(
  func.func @secrets(%x: !rns.poly<[0, 1], eval>, %y: !rns.poly<[0, 1, 2], eval>)
      -> (!rns.poly<[0, 1, 4], eval>, !rns.poly<[0, 1, 2, 3], eval>) {
    %e = rns.key {kind = to_ephemeral} : !rns.key
    %m = rns.key {kind = to_main} : !rns.key
    // CHECK: rns.mod_up {{.*}} groups = {{\[\[}}0], [1]], over = [0, 1, 4]>
    %d = rns.decompose %x : !rns.poly<[0, 1], eval> -> !rns.digits<[0, 1]>
    %b0, %a0 = rns.inner_product %d with %e : !rns.digits<[0, 1]> with !rns.key -> !rns.poly<[0, 1, 4], eval>
    // CHECK: rns.mod_up {{.*}} groups = {{\[\[}}0, 1], [2]], over = [0, 1, 2, 3]>
    %f = rns.decompose %y : !rns.poly<[0, 1, 2], eval> -> !rns.digits<[0, 1, 2]>
    %b1, %a1 = rns.inner_product %f with %m : !rns.digits<[0, 1, 2]> with !rns.key -> !rns.poly<[0, 1, 2, 3], eval>
    return %b0, %b1 : !rns.poly<[0, 1, 4], eval>, !rns.poly<[0, 1, 2, 3], eval>
  }
}
