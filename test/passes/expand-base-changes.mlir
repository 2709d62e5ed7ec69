// RUN: sluice-opt --expand-base-changes --split-input-file %s | FileCheck %s

// Rational rescale, the unit numbers of docs/mathematics.md 16.6: A = {17, 97, 193}, B = {113, 193}, a = 17 * 97 = 1649, b = 113.
// r = [113 c]_a: 113 is 11 modulo 17 and 16 modulo 97. Common limb 193: (113 c - r) a^-1, a^-1 = 125. Added limb 113:
// -r a^-1, -a^-1 = 86. (125 * 1649 = 1 + 193 * 1068, 86 * 1649 = -1 + 113 * 1255.)

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193, 113]>} {
  // CHECK-LABEL: func.func @rational(
  // CHECK-SAME: %[[C:.*]]: !rns.poly<[0, 1, 2], eval>
  func.func @rational(%c: !rns.poly<[0, 1, 2], eval>) -> !rns.poly<[3, 2], eval> {
    // CHECK: %[[DROPPED:.*]] = rns.drop %[[C]] : {{.*}} -> !rns.poly<[0, 1], eval>
    // CHECK: %[[BC:.*]] = rns.mul_scalar %[[DROPPED]] {scalars = [11, 16]}
    // CHECK: %[[COEFF:.*]] = rns.intt %[[BC]]
    // CHECK: %[[CONVERTED:.*]] = rns.base_convert %[[COEFF]] : !rns.poly<[0, 1], coeff> -> !rns.poly<[3, 2], coeff>
    // CHECK: %[[R:.*]] = rns.ntt %[[CONVERTED]]
    // CHECK: %[[KEPT:.*]] = rns.drop %[[C]] : {{.*}} -> !rns.poly<[2], eval>
    // CHECK: %[[SCALED:.*]] = rns.mul_scalar %[[KEPT]] {scalars = [113]}
    // CHECK: %[[R2:.*]] = rns.drop %[[R]] : {{.*}} -> !rns.poly<[2], eval>
    // CHECK: %[[COMMON:.*]] = rns.sub_mul_scalar %[[SCALED]], %[[R2]] {scalars = [125]}
    // CHECK: %[[R3:.*]] = rns.drop %[[R]] : {{.*}} -> !rns.poly<[3], eval>
    // CHECK: %[[ADDED:.*]] = rns.mul_scalar %[[R3]] {scalars = [86]}
    // CHECK: %[[BOTH:.*]] = rns.concat %[[COMMON]], %[[ADDED]] : {{.*}} -> !rns.poly<[2, 3], eval>
    // CHECK: %[[ORDERED:.*]] = rns.drop %[[BOTH]] : {{.*}} -> !rns.poly<[3, 2], eval>
    // CHECK: return %[[ORDERED]]
    %r = rns.rescale %c : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[3, 2], eval>
    return %r : !rns.poly<[3, 2], eval>
  }
}

// -----

// A division by limbs that adds none: one intt of the dropped limbs, one conversion, (c - r) 97^-1 with 97^-1 = 10 modulo 17 and 2
// modulo 193. In coefficient form there is nothing to transform.

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193]>} {
  // CHECK-LABEL: func.func @mod_down(
  // CHECK-SAME: %[[C:.*]]: !rns.poly<[0, 1, 2], eval>, %[[D:.*]]: !rns.poly<[0, 1, 2], coeff>
  func.func @mod_down(%c: !rns.poly<[0, 1, 2], eval>, %d: !rns.poly<[0, 1, 2], coeff>)
      -> (!rns.poly<[0, 2], eval>, !rns.poly<[0, 2], coeff>) {
    // CHECK: %[[P:.*]] = rns.drop %[[C]] : {{.*}} -> !rns.poly<[1], eval>
    // CHECK: %[[COEFF:.*]] = rns.intt %[[P]]
    // CHECK: %[[CONVERTED:.*]] = rns.base_convert %[[COEFF]] : {{.*}} -> !rns.poly<[0, 2], coeff>
    // CHECK: %[[R:.*]] = rns.ntt %[[CONVERTED]]
    // CHECK: %[[KEPT:.*]] = rns.drop %[[C]] : {{.*}} -> !rns.poly<[0, 2], eval>
    // CHECK: rns.sub_mul_scalar %[[KEPT]], %[[R]] {scalars = [10, 2]}
    %r = rns.mod_down %c {by = [1]} : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 2], eval>
    // CHECK: rns.drop %[[D]]
    // CHECK-NEXT: rns.base_convert
    // CHECK-NEXT: rns.drop %[[D]]
    // CHECK-NEXT: rns.sub_mul_scalar
    %s = rns.rescale %d : !rns.poly<[0, 1, 2], coeff> -> !rns.poly<[0, 2], coeff>
    return %r, %s : !rns.poly<[0, 2], eval>, !rns.poly<[0, 2], coeff>
  }
}

// -----

// Two digits of limbs 0 1 2 over 0 1 2 3. One intt; each digit converts only to the limbs that are not its own, and keeps its own as a
// view of the operand. The second is digit 2 of the key.

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193, 1697, 113]>} {
  // CHECK-LABEL: func.func @digits(
  // CHECK-SAME: %[[C:.*]]: !rns.poly<[0, 1, 2], eval>
  func.func @digits(%c: !rns.poly<[0, 1, 2], eval>) -> (!rns.poly<[0, 1, 2, 3], eval>, !rns.poly<[0, 1, 2, 3], eval>) {
    // CHECK: %[[COEFF:.*]] = rns.intt %[[C]]
    // CHECK-NOT: rns.intt
    // CHECK: %[[X:.*]] = rns.drop %[[COEFF]] : {{.*}} -> !rns.poly<[0, 1], coeff>
    // CHECK: %[[Y:.*]] = rns.base_convert %[[X]] : {{.*}} -> !rns.poly<[2, 3], coeff>
    // CHECK: %[[Z:.*]] = rns.ntt %[[Y]]
    // CHECK: %[[OWN:.*]] = rns.drop %[[C]] : {{.*}} -> !rns.poly<[0, 1], eval>
    // CHECK: %[[D0:.*]] = rns.concat %[[OWN]], %[[Z]] : {{.*}} -> !rns.poly<[0, 1, 2, 3], eval>
    // CHECK: rns.base_convert {{.*}} : !rns.poly<[2], coeff> -> !rns.poly<[0, 1, 3], coeff>
    // CHECK: %[[W:.*]] = rns.concat {{.*}} -> !rns.poly<[2, 0, 1, 3], eval>
    // CHECK: %[[D1:.*]] = rns.drop %[[W]] : {{.*}} -> !rns.poly<[0, 1, 2, 3], eval>
    %d = rns.decompose %c : !rns.poly<[0, 1, 2], eval> -> !rns.digits<[0, 1, 2]>
    %u = rns.mod_up %d : !rns.digits<[0, 1, 2]> -> !rns.digits<[0, 1, 2], groups = [[0, 1], [2]], over = [0, 1, 2, 3]>
    // CHECK: %[[K:.*]] = rns.key
    %k = rns.key {kind = relinearize} : !rns.key<limbs = [3, 0, 1, 4, 2], digits = [[0, 1], [4], [2]]>
    // CHECK: rns.inner_product %[[D0]], %[[D1]] with %[[K]] {key_digits = [0, 2]}
    // CHECK-NOT: rns.mod_up
    // CHECK-NOT: rns.decompose
    %b, %a = rns.inner_product %u with %k : !rns.digits<[0, 1, 2], groups = [[0, 1], [2]], over = [0, 1, 2, 3]>
      with !rns.key<limbs = [3, 0, 1, 4, 2], digits = [[0, 1], [4], [2]]> -> !rns.poly<[0, 1, 2, 3], eval>
    return %b, %a : !rns.poly<[0, 1, 2, 3], eval>, !rns.poly<[0, 1, 2, 3], eval>
  }
}
