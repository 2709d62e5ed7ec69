// Operations are pure, and sums and products commute: equal values are computed once.
// RUN: sluice-opt --cse %s | FileCheck %s

// CHECK-LABEL: @equal_values
// CHECK-NEXT: %[[P:.*]] = ckks.mul
// CHECK-NEXT: %[[R:.*]] = ckks.rotate %[[P]] {by = 1}
// CHECK-NEXT: %[[S:.*]] = ckks.rotate %[[P]] {by = 2}
// CHECK-NEXT: return %[[P]], %[[P]], %[[R]], %[[R]], %[[S]]
func.func @equal_values(%a: !ckks.ct, %b: !ckks.ct) -> (!ckks.ct, !ckks.ct, !ckks.ct, !ckks.ct, !ckks.ct) {
  %0 = ckks.mul %a, %b : !ckks.ct
  %1 = ckks.mul %b, %a : !ckks.ct
  %2 = ckks.rotate %0 {by = 1} : !ckks.ct
  %3 = ckks.rotate %1 {by = 1} : !ckks.ct
  %4 = ckks.rotate %1 {by = 2} : !ckks.ct
  return %0, %1, %2, %3, %4 : !ckks.ct, !ckks.ct, !ckks.ct, !ckks.ct, !ckks.ct
}
