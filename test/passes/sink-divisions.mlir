// RUN: sluice-opt --sink-divisions --split-input-file %s | FileCheck %s

// Limbs 0, 1, 2 and P = p3 = 113, which is 11 modulo 17, 16 modulo 97 and 113 modulo 193.

!poly = !rns.poly<[0, 1, 2], eval>
!raised = !rns.poly<[0, 1, 2, 3], eval>
!lower = !rns.poly<[0, 1], eval>

// Absorb and merge: c + mod_down(x) = mod_down(P c + x), where P c is 0 modulo P, and the rescale divides by P p2 at once.
module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193, 113]>} {
  // CHECK-LABEL: func.func @merge(
  // CHECK-SAME: %[[X:.*]]: !rns.poly<[0, 1, 2, 3], eval>, %[[C:.*]]: !rns.poly<[0, 1, 2], eval>)
  // CHECK: %[[PC:.*]] = rns.mul_scalar %[[C]] {scalars = [11, 16, 113]}
  // CHECK: %[[ZERO:.*]] = rns.zero : !rns.poly<[3], eval>
  // CHECK: %[[LIFTED:.*]] = rns.concat %[[PC]], %[[ZERO]]
  // CHECK: %[[SUM:.*]] = rns.add %[[LIFTED]], %[[X]]
  // CHECK: %[[Z:.*]] = rns.rescale %[[SUM]] : !rns.poly<[0, 1, 2, 3], eval> -> !rns.poly<[0, 1], eval>
  // CHECK: return %[[Z]]
  func.func @merge(%x: !raised, %c: !poly) -> !lower {
    %d = rns.mod_down %x {by = [3]} : !raised -> !poly
    %s = rns.add %c, %d : !poly
    %z = rns.rescale %s : !poly -> !lower
    return %z : !lower
  }
}

// -----

// Three divisions become one. The plaintext is encoded modulo P as well; 3 is 3 modulo P, -1 is 112 (16, 96, 192 modulo the others).
!poly = !rns.poly<[0, 1, 2], eval>
!raised = !rns.poly<[0, 1, 2, 3], eval>
module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193, 113]>} {
  // CHECK-LABEL: func.func @sum(
  // CHECK-SAME: %[[X:.*]]: !rns.poly<[0, 1, 2, 3], eval>, %[[Y:.*]]: !rns.poly<[0, 1, 2, 3], eval>, %[[V:.*]]: !rns.poly<[0, 1, 2, 3], eval>)
  // CHECK: %[[M:.*]] = rns.constant {{.*}} : !rns.poly<[0, 1, 2, 3], eval>
  // CHECK: %[[A:.*]] = rns.mul %[[X]], %[[M]] : !rns.poly<[0, 1, 2, 3], eval>
  // CHECK: %[[B:.*]] = rns.automorphism %[[Y]] {element = 5}
  // CHECK: %[[C:.*]] = rns.mul_scalar %[[B]] {scalars = [3, 3, 3, 3]}
  // CHECK: %[[D:.*]] = rns.mul_scalar %[[V]] {scalars = [16, 96, 192, 112]}
  // CHECK: %[[E:.*]] = rns.add_scalar %[[D]] {scalars = [5, 32, 33, 0]}
  // CHECK: %[[F:.*]] = rns.sub %[[A]], %[[C]]
  // CHECK: %[[G:.*]] = rns.add %[[F]], %[[E]]
  // CHECK: %[[Z:.*]] = rns.mod_down %[[G]] {by = [3]}
  // CHECK-NOT: rns.mod_down
  // CHECK: return %[[Z]]
  func.func @sum(%x: !raised, %y: !raised, %v: !raised) -> !poly {
    %m = rns.constant {kind = slots, values = dense<[0.5, 1.0]> : tensor<2xf64>, scale = "2^5", high = 32.0, low = 0.0} : !poly
    %xd = rns.mod_down %x {by = [3]} : !raised -> !poly
    %yd = rns.mod_down %y {by = [3]} : !raised -> !poly
    %vd = rns.mod_down %v {by = [3]} : !raised -> !poly
    %a = rns.mul %xd, %m : !poly
    %b = rns.automorphism %yd {element = 5} : !poly
    %c = rns.mul_scalar %b {scalars = [3, 3, 3]} : !poly
    %d = rns.mul_scalar %vd {scalars = [16, 96, 192]} : !poly
    %e = rns.add_scalar %d {scalars = [2, 2, 2]} : !poly
    %f = rns.sub %a, %c : !poly
    %g = rns.add %f, %e : !poly
    return %g : !poly
  }
}

// -----

// No gain: each result would need a division of its own, one more than there are. A product of two ciphertexts and a decomposition need
// divided values too.
!poly = !rns.poly<[0, 1, 2], eval>
!raised = !rns.poly<[0, 1, 2, 3], eval>
module attributes {rns.ring = #rns.ring<logN = 3, primes = [17, 97, 193, 113]>} {
  // CHECK-LABEL: func.func @stays(
  // CHECK: %[[D:.*]] = rns.mod_down
  // CHECK-NOT: rns.mod_down
  // CHECK: rns.mul_scalar %[[D]] {scalars = [3, 3, 3]}
  // CHECK: rns.mul_scalar %[[D]] {scalars = [5, 5, 5]}
  // CHECK: rns.mul %[[D]], %[[D]]
  // CHECK: rns.decompose %[[D]]
  func.func @stays(%x: !raised) -> (!poly, !poly, !poly, !rns.digits<[0, 1, 2]>) {
    %d = rns.mod_down %x {by = [3]} : !raised -> !poly
    %a = rns.mul_scalar %d {scalars = [3, 3, 3]} : !poly
    %b = rns.mul_scalar %d {scalars = [5, 5, 5]} : !poly
    %c = rns.mul %d, %d : !poly
    %e = rns.decompose %d : !poly -> !rns.digits<[0, 1, 2]>
    return %a, %b, %c, %e : !poly, !poly, !poly, !rns.digits<[0, 1, 2]>
  }
}
