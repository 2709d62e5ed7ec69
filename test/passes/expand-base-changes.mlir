// RUN: sluice-opt --expand-base-changes --split-input-file %s | FileCheck %s

// Rational rescale, the unit numbers of docs/mathematics.md 16.6: A = {17, 97, 193}, B = {113, 193}, a = 17 * 97 = 1649, b = 113.
// r = [113 c]_a: 113 is 11 modulo 17 and 16 modulo 97. All limbs at once: (c - r / b) (b / a), with b^-1 = 41 and b / a = 36 modulo
// 193; on the added limb 113 c is 0 and b is 1, a^-1 = 27. (113 * 41 = 1 + 193 * 24, 36 * 1649 = 113 + 193 * 307, 27 * 1649 = 1 + 113 * 394.)

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
    // CHECK: %[[ZERO:.*]] = rns.zero : !rns.poly<[3], eval>
    // CHECK: %[[BOTH:.*]] = rns.concat %[[KEPT]], %[[ZERO]] : {{.*}} -> !rns.poly<[2, 3], eval>
    // CHECK: %[[ORDERED:.*]] = rns.drop %[[BOTH]] : {{.*}} -> !rns.poly<[3, 2], eval>
    // CHECK: %[[DIVIDED:.*]] = rns.mul_scalar %[[R]] {scalars = [1, 41]}
    // CHECK: %[[RESULT:.*]] = rns.sub_mul_scalar %[[ORDERED]], %[[DIVIDED]] {scalars = [27, 36]}
    // CHECK: return %[[RESULT]]
    %r = rns.rescale %c : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[3, 2], eval>
    return %r : !rns.poly<[3, 2], eval>
  }
}

// -----

// In coefficient form the zero is the remainder times 0.

module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193, 113]>} {
  // CHECK-LABEL: func.func @rational_of_coefficients(
  func.func @rational_of_coefficients(%c: !rns.poly<[0, 1, 2], coeff>) -> !rns.poly<[3, 2], coeff> {
    // CHECK: %[[R:.*]] = rns.base_convert {{.*}} -> !rns.poly<[3, 2], coeff>
    // CHECK: %[[OF_ADDED:.*]] = rns.drop %[[R]] : {{.*}} -> !rns.poly<[3], coeff>
    // CHECK: %[[ZERO:.*]] = rns.mul_scalar %[[OF_ADDED]] {scalars = [0]}
    // CHECK: rns.concat %{{.*}}, %[[ZERO]]
    // CHECK: rns.sub_mul_scalar {{.*}} {scalars = [27, 36]}
    %r = rns.rescale %c : !rns.poly<[0, 1, 2], coeff> -> !rns.poly<[3, 2], coeff>
    return %r : !rns.poly<[3, 2], coeff>
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
