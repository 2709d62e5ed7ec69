// Operations are pure: equal decompositions and equal keys are one.
// RUN: sluice-opt --cse %s | FileCheck %s

// CHECK-LABEL: @equal_values
// CHECK-NEXT: %[[D:.*]] = rns.decompose
// CHECK-NEXT: %[[K:.*]] = rns.key
// CHECK-NEXT: rns.inner_product %[[D]] with %[[K]]
// CHECK-NEXT: return
func.func @equal_values(%a: !rns.poly<[0, 1], eval>) -> (!rns.poly<[0, 1, 2], eval>, !rns.poly<[0, 1, 2], eval>) {
  %0 = rns.decompose %a : !rns.poly<[0, 1], eval> -> !rns.digits<[0, 1]>
  %1 = rns.key {kind = galois, element = 5} : !rns.key
  %2, %3 = rns.inner_product %0 with %1 : !rns.digits<[0, 1]> with !rns.key -> !rns.poly<[0, 1, 2], eval>
  %4 = rns.decompose %a : !rns.poly<[0, 1], eval> -> !rns.digits<[0, 1]>
  %5 = rns.key {kind = galois, element = 5} : !rns.key
  %6, %7 = rns.inner_product %4 with %5 : !rns.digits<[0, 1]> with !rns.key -> !rns.poly<[0, 1, 2], eval>
  return %2, %7 : !rns.poly<[0, 1, 2], eval>, !rns.poly<[0, 1, 2], eval>
}
