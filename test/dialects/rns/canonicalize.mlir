// RUN: sluice-opt --canonicalize %s | FileCheck %s

!eval = !rns.poly<[0, 1], eval>
!coeff = !rns.poly<[0, 1], coeff>

// CHECK-LABEL: @transforms_cancel
// CHECK-SAME: (%[[A:.*]]: !rns.poly<[0, 1], eval>, %[[B:.*]]: !rns.poly<[0, 1], coeff>)
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @transforms_cancel(%a: !eval, %b: !coeff) -> (!eval, !coeff) {
  %0 = rns.intt %a : !eval -> !coeff
  %1 = rns.ntt %0 : !coeff -> !eval
  %2 = rns.ntt %b : !coeff -> !eval
  %3 = rns.intt %2 : !eval -> !coeff
  return %1, %3 : !eval, !coeff
}

// CHECK-LABEL: @neutral
// CHECK-SAME: (%[[A:.*]]: !rns.poly<[0, 1], eval>)
// CHECK-NEXT: return %[[A]]
func.func @neutral(%a: !eval) -> !eval {
  %0 = rns.negate %a : !eval
  %1 = rns.negate %0 : !eval
  %2 = rns.mul_scalar %1 {scalars = [1, 1]} : !eval
  %3 = rns.add_scalar %2 {scalars = [0, 0]} : !eval
  %4 = rns.automorphism %3 {element = 1} : !eval
  %5 = rns.drop %4 : !eval -> !eval
  %6 = rns.concat %5 : !eval -> !eval
  return %6 : !eval
}

// CHECK-LABEL: @not_neutral
// CHECK-NEXT: rns.mul_scalar
// CHECK-NEXT: rns.add_scalar
// CHECK-NEXT: rns.drop %{{.*}} : !rns.poly<[0, 1], eval> -> !rns.poly<[1, 0], eval>
// CHECK-NEXT: return
func.func @not_neutral(%a: !eval) -> !rns.poly<[1, 0], eval> {
  %0 = rns.mul_scalar %a {scalars = [1, 2]} : !eval
  %1 = rns.add_scalar %0 {scalars = [0, 1]} : !eval
  %2 = rns.drop %1 : !eval -> !rns.poly<[1, 0], eval>
  return %2 : !rns.poly<[1, 0], eval>
}

// CHECK-LABEL: @drop_of_drop
// CHECK-SAME: (%[[A:.*]]: !rns.poly<[0, 1, 2], eval>)
// CHECK-NEXT: %[[B:.*]] = rns.drop %[[A]] : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[2], eval>
// CHECK-NEXT: return %[[B]]
func.func @drop_of_drop(%a: !rns.poly<[0, 1, 2], eval>) -> !rns.poly<[2], eval> {
  %0 = rns.drop %a : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[2, 0], eval>
  %1 = rns.drop %0 : !rns.poly<[2, 0], eval> -> !rns.poly<[2], eval>
  return %1 : !rns.poly<[2], eval>
}

// CHECK-LABEL: @drop_of_concat
// CHECK-SAME: (%[[A:.*]]: !rns.poly<[0, 1], eval>, %[[B:.*]]: !rns.poly<[2, 3], eval>)
// CHECK-NEXT: %[[D:.*]] = rns.concat
// CHECK-NEXT: %[[C:.*]] = rns.drop %[[B]] : !rns.poly<[2, 3], eval> -> !rns.poly<[3], eval>
// CHECK-NEXT: %[[E:.*]] = rns.drop %[[D]] : !rns.poly<[0, 1, 2, 3], eval> -> !rns.poly<[1, 2], eval>
// CHECK-NEXT: return %[[A]], %[[C]], %[[E]]
func.func @drop_of_concat(%a: !eval, %b: !rns.poly<[2, 3], eval>)
    -> (!eval, !rns.poly<[3], eval>, !rns.poly<[1, 2], eval>) {
  %0 = rns.concat %a, %b : !eval, !rns.poly<[2, 3], eval> -> !rns.poly<[0, 1, 2, 3], eval>
  %1 = rns.drop %0 : !rns.poly<[0, 1, 2, 3], eval> -> !eval
  %2 = rns.drop %0 : !rns.poly<[0, 1, 2, 3], eval> -> !rns.poly<[3], eval>
  %3 = rns.drop %0 : !rns.poly<[0, 1, 2, 3], eval> -> !rns.poly<[1, 2], eval>
  return %1, %2, %3 : !eval, !rns.poly<[3], eval>, !rns.poly<[1, 2], eval>
}

// CHECK-LABEL: @drop_of_unneeded
// CHECK-SAME: (%[[A:.*]]: !rns.poly<[0, 1], eval>, %[[B:.*]]: !rns.poly<[2, 3], eval>, %[[C:.*]]: !rns.poly<[4], eval>)
// CHECK-NEXT: %[[D:.*]] = rns.concat %[[A]], %[[B]]
// CHECK-NEXT: %[[E:.*]] = rns.drop %[[D]] : !rns.poly<[0, 1, 2, 3], eval> -> !rns.poly<[1, 2], eval>
// CHECK-NEXT: return %[[E]]
func.func @drop_of_unneeded(%a: !eval, %b: !rns.poly<[2, 3], eval>, %c: !rns.poly<[4], eval>) -> !rns.poly<[1, 2], eval> {
  %0 = rns.concat %a, %b, %c : !eval, !rns.poly<[2, 3], eval>, !rns.poly<[4], eval> -> !rns.poly<[0, 1, 2, 3, 4], eval>
  %1 = rns.drop %0 : !rns.poly<[0, 1, 2, 3, 4], eval> -> !rns.poly<[1, 2], eval>
  return %1 : !rns.poly<[1, 2], eval>
}
