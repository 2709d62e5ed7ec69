// RUN: sluice-opt --fuse-products=terms=2 --split-input-file --mlir-print-local-scope %s | FileCheck %s

!poly = !rns.poly<[0, 1], eval>

// A product that is only added; one with a second reader stays.
// CHECK-LABEL: func.func @mac(
// CHECK-SAME: %[[A:.*]]: !rns.poly<[0, 1], eval>, %[[B:.*]]: !rns.poly<[0, 1], eval>)
// CHECK-NEXT: %[[M:.*]] = rns.mac %[[A]], %[[A]], %[[B]]
// CHECK-NEXT: %[[P:.*]] = rns.mul %[[M]], %[[B]]
// CHECK-NEXT: %[[S:.*]] = rns.add %[[P]], %[[A]]
// CHECK-NEXT: return %[[P]], %[[S]]
func.func @mac(%a: !poly, %b: !poly) -> (!poly, !poly) {
  %p = rns.mul %a, %b : !poly
  %m = rns.add %a, %p : !poly
  %q = rns.mul %m, %b : !poly
  %s = rns.add %q, %a : !poly
  return %q, %s : !poly, !poly
}

// -----

!poly = !rns.poly<[0, 1], eval>

// Three products with constants on both polynomials of a ciphertext: with two products in a sum at most, the first stays alone and
// the others share their constants.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[B:.*]]: !rns.poly<[0, 1], eval>, %[[A:.*]]: !rns.poly<[0, 1], eval>, %[[X:.*]]: !rns.poly<[0, 1], eval>, %[[Y:.*]]: !rns.poly<[0, 1], eval>)
// CHECK-DAG: %[[K:.*]] = rns.constant {{.*}}dense<1.0
// CHECK-DAG: %[[L:.*]] = rns.constant {{.*}}dense<2.0
// CHECK-DAG: %[[M:.*]] = rns.constant {{.*}}dense<3.0
// CHECK: %[[S:.*]] = rns.mac %[[B]], %[[X]], %[[K]]
// CHECK: %[[T:.*]] = rns.mac %[[A]], %[[Y]], %[[K]]
// CHECK: %[[U:.*]], %[[V:.*]] = rns.weighted_sum %[[S]], %[[T]] plus [%[[L]], %[[M]]] times [%[[Y]], %[[X]]] and [%[[X]], %[[Y]]]
// CHECK-NEXT: return %[[U]], %[[V]]
func.func @sums(%b: !poly, %a: !poly, %x: !poly, %y: !poly) -> (!poly, !poly) {
  %k = rns.constant {kind = slots, values = dense<1.0> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !poly
  %l = rns.constant {kind = slots, values = dense<2.0> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !poly
  %m = rns.constant {kind = slots, values = dense<3.0> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !poly
  %b0 = rns.mac %b, %x, %k : !poly
  %a0 = rns.mac %a, %y, %k : !poly
  %b1 = rns.mac %b0, %y, %l : !poly
  %a1 = rns.mac %a0, %x, %l : !poly
  %b2 = rns.mac %b1, %x, %m : !poly
  %a2 = rns.mac %a1, %y, %m : !poly
  return %b2, %a2 : !poly, !poly
}

// -----

!poly = !rns.poly<[0, 1], eval>

// The second sum needs the first: nothing is shared.
// CHECK-LABEL: func.func @order(
// CHECK-NOT: rns.weighted_sum
// CHECK: return
func.func @order(%b: !poly, %a: !poly) -> (!poly, !poly) {
  %k = rns.constant {kind = slots, values = dense<1.0> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !poly
  %l = rns.constant {kind = slots, values = dense<2.0> : tensor<1xf64>, scale = "2^0", high = 1.0, low = 0.0} : !poly
  %b0 = rns.mac %b, %a, %k : !poly
  %b1 = rns.mac %b0, %a, %l : !poly
  %n = rns.negate %b1 : !poly
  %a0 = rns.mac %a, %n, %k : !poly
  %a1 = rns.mac %a0, %n, %l : !poly
  return %b1, %a1 : !poly, !poly
}
