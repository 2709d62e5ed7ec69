// RUN: sluice-opt --canonicalize --split-input-file %s | FileCheck %s

// CHECK-LABEL: @negate_twice
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: return %[[A]]
func.func @negate_twice(%a: !ckks.ct) -> !ckks.ct {
  %0 = ckks.negate %a : !ckks.ct
  %1 = ckks.negate %0 : !ckks.ct
  return %1 : !ckks.ct
}

// CHECK-LABEL: @conjugate_twice
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: return %[[A]]
func.func @conjugate_twice(%a: !ckks.ct) -> !ckks.ct {
  %0 = ckks.conjugate %a : !ckks.ct
  %1 = ckks.conjugate %0 : !ckks.ct
  return %1 : !ckks.ct
}

// CHECK-LABEL: @i_twice
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: %[[B:.*]] = ckks.negate %[[A]]
// CHECK-NEXT: return %[[B]]
func.func @i_twice(%a: !ckks.ct) -> !ckks.ct {
  %0 = ckks.mul_by_i %a : !ckks.ct
  %1 = ckks.mul_by_i %0 : !ckks.ct
  return %1 : !ckks.ct
}

// CHECK-LABEL: @add_of_negate
// CHECK-SAME: (%[[A:.*]]: !ckks.ct, %[[B:.*]]: !ckks.ct)
// CHECK-NEXT: ckks.sub %[[A]], %[[B]]
// CHECK-NEXT: ckks.sub %[[B]], %[[A]]
// CHECK-NEXT: ckks.add %[[A]], %[[B]]
// CHECK-NEXT: return
func.func @add_of_negate(%a: !ckks.ct, %b: !ckks.ct) -> (!ckks.ct, !ckks.ct, !ckks.ct) {
  %0 = ckks.negate %b : !ckks.ct
  %1 = ckks.negate %a : !ckks.ct
  %2 = ckks.add %a, %0 : !ckks.ct
  %3 = ckks.add %1, %b : !ckks.ct
  %4 = ckks.sub %a, %0 : !ckks.ct
  return %2, %3, %4 : !ckks.ct, !ckks.ct, !ckks.ct
}

// CHECK-LABEL: @mul_of_equals
// CHECK-SAME: (%[[A:.*]]: !ckks.ct<level = 1, scale = 2^45>)
// CHECK-NEXT: ckks.square %[[A]] : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^90, size = 3>
func.func @mul_of_equals(%a: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 1, scale = 2^90, size = 3> {
  %0 = ckks.mul %a, %a : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45>
                         -> !ckks.ct<level = 1, scale = 2^90, size = 3>
  return %0 : !ckks.ct<level = 1, scale = 2^90, size = 3>
}

// CHECK-LABEL: @rotate_twice
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: ckks.rotate %[[A]] {by = 1}
// CHECK-NEXT: return
func.func @rotate_twice(%a: !ckks.ct) -> !ckks.ct {
  %0 = ckks.rotate %a {by = 3} : !ckks.ct
  %1 = ckks.rotate %0 {by = -2} : !ckks.ct
  return %1 : !ckks.ct
}

// CHECK-LABEL: @rotate_there_and_back
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: return %[[A]]
func.func @rotate_there_and_back(%a: !ckks.ct) -> !ckks.ct {
  %0 = ckks.rotate %a {by = 9223372036854775807} : !ckks.ct
  %1 = ckks.rotate %0 {by = 1} : !ckks.ct
  %2 = ckks.rotate %1 {by = -9223372036854775808} : !ckks.ct
  return %2 : !ckks.ct
}

// CHECK-LABEL: @rotations_are_shared
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: %[[B:.*]] = ckks.rotate %[[A]] {by = 3}
// CHECK-NEXT: %[[C:.*]] = ckks.rotate %[[A]] {by = 5}
// CHECK-NEXT: return %[[B]], %[[C]]
func.func @rotations_are_shared(%a: !ckks.ct) -> (!ckks.ct, !ckks.ct) {
  %0 = ckks.rotate %a {by = 3} : !ckks.ct
  %1 = ckks.rotate %0 {by = 2} : !ckks.ct
  return %0, %1 : !ckks.ct, !ckks.ct
}

// CHECK-LABEL: @splat_is_scalar
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: %[[B:.*]] = ckks.add_scalar %[[A]] {value = 1.5}
// CHECK-NEXT: ckks.mul_scalar %[[B]] {value = 2.5}
func.func @splat_is_scalar(%a: !ckks.ct) -> !ckks.ct {
  %0 = ckks.add_plain %a {value = dense<1.5> : tensor<4xf64>} : !ckks.ct
  %1 = ckks.mul_plain %0 {value = dense<2.5> : tensor<4xf64>} : !ckks.ct
  return %1 : !ckks.ct
}

// The scale goes along; where it is 1 the number must be an integer.
// CHECK-LABEL: @settled_splat
// CHECK: ckks.mul_scalar %{{.*}} {value = 2.5, scale = #ckks.scale<2^20>}
// CHECK: ckks.mul_plain %{{.*}} {value = dense<2.500000e+00> : tensor<4xf64>, scale = #ckks.scale<2^0>}
func.func @settled_splat(%a: !ckks.ct<level = 1, scale = 2^25>) -> !ckks.ct<level = 1, scale = 2^45> {
  %0 = ckks.mul_plain %a {value = dense<2.5> : tensor<4xf64>, scale = #ckks.scale<2^20>}
       : !ckks.ct<level = 1, scale = 2^25> -> !ckks.ct<level = 1, scale = 2^45>
  %1 = ckks.mul_plain %0 {value = dense<2.5> : tensor<4xf64>, scale = #ckks.scale<2^0>}
       : !ckks.ct<level = 1, scale = 2^45>
  return %1 : !ckks.ct<level = 1, scale = 2^45>
}

// CHECK-LABEL: @scalars_fold
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: %[[B:.*]] = ckks.add_scalar %[[A]] {value = 0.75}
// CHECK-NEXT: %[[C:.*]] = ckks.mul_scalar %[[B]] {value = 6.0}
// CHECK-NEXT: %[[D:.*]] = ckks.negate %[[C]]
// CHECK-NEXT: return %[[D]]
func.func @scalars_fold(%a: !ckks.ct) -> !ckks.ct {
  %0 = ckks.add_scalar %a {value = 0.5} : !ckks.ct
  %1 = ckks.add_scalar %0 {value = 0.25} : !ckks.ct
  %2 = ckks.mul_scalar %1 {value = 2.0} : !ckks.ct
  %3 = ckks.mul_scalar %2 {value = 3.0} : !ckks.ct
  %4 = ckks.add_scalar %3 {value = 0.0} : !ckks.ct
  %5 = ckks.mul_scalar %4 {value = 1.0} : !ckks.ct
  %6 = ckks.negate %5 : !ckks.ct
  return %6 : !ckks.ct
}

// CHECK-LABEL: @minus_one
// CHECK: ckks.negate
// CHECK-NOT: ckks.mul_scalar
func.func @minus_one(%a: !ckks.ct) -> !ckks.ct {
  %0 = ckks.mul_scalar %a {value = -1.0} : !ckks.ct
  return %0 : !ckks.ct
}

// A factor of 1 at another scale changes the scale; the two steps use separate scales.
// CHECK-LABEL: @settled_scalars_stay
// CHECK: ckks.mul_scalar %{{.*}} {value = 1.0, scale = #ckks.scale<2^10>}
// CHECK: ckks.mul_scalar %{{.*}} {value = -1.0, scale = #ckks.scale<2^10>}
// CHECK-NOT: ckks.mul_scalar
// CHECK: ckks.negate
func.func @settled_scalars_stay(%a: !ckks.ct<level = 1, scale = 2^25>) -> !ckks.ct<level = 1, scale = 2^45> {
  %0 = ckks.mul_scalar %a {value = 1.0, scale = #ckks.scale<2^10>} : !ckks.ct<level = 1, scale = 2^25> -> !ckks.ct<level = 1, scale = 2^35>
  %1 = ckks.mul_scalar %0 {value = -1.0, scale = #ckks.scale<2^10>} : !ckks.ct<level = 1, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^45>
  %2 = ckks.mul_scalar %1 {value = 1.0, scale = #ckks.scale<2^0>} : !ckks.ct<level = 1, scale = 2^45>
  %3 = ckks.mul_scalar %2 {value = -1.0, scale = #ckks.scale<2^0>} : !ckks.ct<level = 1, scale = 2^45>
  return %3 : !ckks.ct<level = 1, scale = 2^45>
}

// CHECK-LABEL: @drop_level_twice
// CHECK-SAME: (%[[A:.*]]: !ckks.ct<level = 3, scale = 2^45>)
// CHECK-NEXT: ckks.drop_level %[[A]] : !ckks.ct<level = 3, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
// CHECK-NEXT: return
func.func @drop_level_twice(%a: !ckks.ct<level = 3, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  %0 = ckks.drop_level %a : !ckks.ct<level = 3, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45>
  %1 = ckks.drop_level %0 : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %1 : !ckks.ct<level = 0, scale = 2^45>
}

// CHECK-LABEL: @adjust_to_same
// CHECK-SAME: (%[[A:.*]]: !ckks.ct<level = 3, scale = 2^45>)
// CHECK-NEXT: return %[[A]]
func.func @adjust_to_same(%a: !ckks.ct<level = 3, scale = 2^45>) -> !ckks.ct<level = 3, scale = 2^45> {
  %0 = ckks.adjust_scale %a : !ckks.ct<level = 3, scale = 2^45>
  return %0 : !ckks.ct<level = 3, scale = 2^45>
}

// CHECK-LABEL: @reinterpret_twice
// CHECK-SAME: (%[[A:.*]]: !ckks.ct<level = 3, scale = 2^45>)
// CHECK-NEXT: ckks.reinterpret %[[A]] {factor = 2.0} : !ckks.ct<level = 3, scale = 2^45> -> !ckks.ct<level = 3, scale = 2^44>
// CHECK-NEXT: return
func.func @reinterpret_twice(%a: !ckks.ct<level = 3, scale = 2^45>) -> !ckks.ct<level = 3, scale = 2^44> {
  %0 = ckks.reinterpret %a {factor = 0.25} : !ckks.ct<level = 3, scale = 2^45> -> !ckks.ct<level = 3, scale = 2^47>
  %1 = ckks.reinterpret %0 {factor = 8.0} : !ckks.ct<level = 3, scale = 2^47> -> !ckks.ct<level = 3, scale = 2^44>
  %2 = ckks.reinterpret %1 {factor = 1.0} : !ckks.ct<level = 3, scale = 2^44>
  return %2 : !ckks.ct<level = 3, scale = 2^44>
}

// Only the last number of slots counts.
// CHECK-LABEL: @view_slots_twice
// CHECK-SAME: (%[[A:.*]]: !ckks.ct<level = 3, scale = 2^45, slots = 2>)
// CHECK-NEXT: %[[B:.*]] = ckks.view_slots %[[A]] : !ckks.ct<level = 3, scale = 2^45, slots = 2> -> !ckks.ct<level = 3, scale = 2^45, slots = 4>
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @view_slots_twice(%a: !ckks.ct<level = 3, scale = 2^45, slots = 2>)
    -> (!ckks.ct<level = 3, scale = 2^45, slots = 2>, !ckks.ct<level = 3, scale = 2^45, slots = 4>) {
  %0 = ckks.view_slots %a : !ckks.ct<level = 3, scale = 2^45, slots = 2> -> !ckks.ct<level = 3, scale = 2^45, slots = 8>
  %1 = ckks.view_slots %0 : !ckks.ct<level = 3, scale = 2^45, slots = 8> -> !ckks.ct<level = 3, scale = 2^45, slots = 2>
  %2 = ckks.view_slots %0 : !ckks.ct<level = 3, scale = 2^45, slots = 8> -> !ckks.ct<level = 3, scale = 2^45, slots = 4>
  return %1, %2 : !ckks.ct<level = 3, scale = 2^45, slots = 2>, !ckks.ct<level = 3, scale = 2^45, slots = 4>
}

// CHECK-LABEL: @dead_code_goes
// CHECK-NEXT: return
func.func @dead_code_goes(%a: !ckks.ct) {
  %0 = ckks.mul %a, %a : !ckks.ct
  %1 = ckks.rotate %0 {by = 1} : !ckks.ct
  return
}

// -----

// With the slots known, rotations are reduced modulo them.
module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17], levels = [[0]]>} {
// CHECK-LABEL: @rotate_modulo_slots
// CHECK-SAME: (%[[A:.*]]: !ckks.ct)
// CHECK-NEXT: %[[B:.*]] = ckks.rotate %[[A]] {by = 3}
// CHECK-NEXT: return %[[B]], %[[A]]
func.func @rotate_modulo_slots(%a: !ckks.ct) -> (!ckks.ct, !ckks.ct) {
  %0 = ckks.rotate %a {by = -5} : !ckks.ct
  %1 = ckks.rotate %a {by = 8} : !ckks.ct
  return %0, %1 : !ckks.ct, !ckks.ct
}
}
