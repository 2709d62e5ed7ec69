// The forms of a bootstrap, of two slots in a ring of four.
// RUN: sluice-opt --expand-bootstraps %s | FileCheck %s

#params = #ckks.params<logN = 3, limbs = [1125899906842273, 1125899906842177, 1125899906842033, 1125899906841713, 1125899906841377,
  1125899906840897, 1125899906840833, 1125899906840609, 1125899906840593, 1125899906840273],
  special = [0], levels = [[1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6],
  [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  digits = [[1], [2], [3], [4], [5], [6], [7], [8], [9]], slots = 2, security = 0>
module attributes {ckks.params = #params} {

// What ModRaise adds has four slots; the sum of the rotations by 2 is what two slots have of it.
// CHECK-LABEL: func.func @sparse
// CHECK: %[[RAISED:.*]] = ckks.mod_raise %{{.*}} -> !ckks.ct<level = 8, scale = q1, slots = 4>
// CHECK-NEXT: %[[ROTATED:.*]] = ckks.rotate %[[RAISED]] {by = 2}
// CHECK-NEXT: %[[SUM:.*]] = ckks.add %[[RAISED]], %[[ROTATED]]
// CHECK-NEXT: %[[FEW:.*]] = ckks.view_slots %[[SUM]] : !ckks.ct<level = 8, scale = q1, slots = 4> -> !ckks.ct<level = 8, scale = q1>

// CoeffsToSlots leaves the other two zero, so that both halves of the coefficients find room: one EvalMod.
// CHECK-NEXT: %[[WIDE:.*]] = ckks.view_slots %[[FEW]]
// CHECK-NEXT: %[[SLOTS:.*]] = ckks.linear_transform %[[WIDE]] {indices = [0, 1], diagonals = dense<{{\[\[}}({{[^)]*}}), ({{[^)]*}}), (0.000000e+00,0.000000e+00), (0.000000e+00,0.000000e+00)], {{.*}} : f64, form = onto_first_half>}
// CHECK-NEXT: %[[CONJUGATE:.*]] = ckks.conjugate %[[SLOTS]]
// CHECK-NEXT: %[[LOW:.*]] = ckks.add %[[SLOTS]], %[[CONJUGATE]]
// CHECK-NEXT: %[[DIFFERENCE:.*]] = ckks.sub %[[CONJUGATE]], %[[SLOTS]]
// CHECK-NEXT: %[[HIGH:.*]] = ckks.mul_by_i %[[DIFFERENCE]]
// CHECK-NEXT: %[[BEHIND:.*]] = ckks.rotate %[[HIGH]] {by = 2}
// CHECK-NEXT: %[[BOTH:.*]] = ckks.add %[[LOW]], %[[BEHIND]]
// CHECK-NEXT: ckks.rescale %[[BOTH]]
// CHECK: ckks.polynomial
// CHECK-NOT: ckks.polynomial

// The first factor back takes them apart, on all diagonals of both halves.
// CHECK: ckks.linear_transform %{{.*}} {indices = [3, 0, 1, 2], {{.*}} : f64, form = from_halves>}
// CHECK-NEXT: %[[BACK:.*]] = ckks.rescale
// CHECK-NEXT: %[[RESULT:.*]] = ckks.view_slots %[[BACK]] : !ckks.ct<level = 3, scale = 2^40, slots = 4> -> !ckks.ct<level = 3, scale = 2^40>
// CHECK-NEXT: return %[[RESULT]]
func.func @sparse(%x: !ckks.ct<level = 0, scale = 2^40>) -> !ckks.ct<level = 3, scale = 2^40> {
  %z = ckks.bootstrap %x {range = 2.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1], slots_to_coefficients = [1]}
       : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 3, scale = 2^40>
  return %z : !ckks.ct<level = 3, scale = 2^40>
}

// Of real slots the low half of the coefficients says all. Coefficient 0, in the first column, is its own mirror image.
// CHECK-LABEL: func.func @real
// CHECK: %[[SLOTS:.*]] = ckks.linear_transform
// CHECK-NEXT: %[[CONJUGATE:.*]] = ckks.conjugate %[[SLOTS]]
// CHECK-NEXT: %[[LOW:.*]] = ckks.add %[[SLOTS]], %[[CONJUGATE]]
// CHECK-NEXT: %[[RESCALED:.*]] = ckks.rescale %[[LOW]]
// CHECK-NEXT: ckks.add_scalar %[[RESCALED]]
// CHECK-NOT: ckks.mul_by_i
// CHECK: %[[HALF:.*]] = ckks.linear_transform %{{.*}} {indices = [0, 1], diagonals = dense<{{\[\[}}(511.99{{[^)]*}}), (-724.07{{[^)]*}})], [(724.07{{[^)]*}}), (511.99{{[^)]*}})]]> {{.*}} : f64, halved_column = true>}
// CHECK-NEXT: %[[MIRRORED:.*]] = ckks.conjugate %[[HALF]]
// CHECK-NEXT: %[[WHOLE:.*]] = ckks.add %[[HALF]], %[[MIRRORED]]
// CHECK-NEXT: %[[RESULT:.*]] = ckks.rescale %[[WHOLE]] {{.*}} -> !ckks.ct<level = 3, scale = 2^40>
// CHECK-NEXT: return %[[RESULT]]
func.func @real(%x: !ckks.ct<level = 0, scale = 2^40>) -> !ckks.ct<level = 3, scale = 2^40> {
  %z = ckks.bootstrap %x {range = 2.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1], slots_to_coefficients = [1], real}
       : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 3, scale = 2^40>
  return %z : !ckks.ct<level = 3, scale = 2^40>
}

// SlotsToCoeffs at the operand's levels, to a power of two times less than Q; after EvalMod that power goes into the scale.
// CHECK-LABEL: func.func @slots_first
// CHECK-SAME: (%[[X:.*]]: !ckks.ct
// CHECK-NEXT: %[[PRODUCT:.*]] = ckks.linear_transform %[[X]] {indices = [0, 1], diagonals = dense<{{\[\[}}(1.000000e+00,0.000000e+00), {{.*}}, scale = #ckks.scale<2^-50 * q1 * q2>, generator = #ckks.dft_matrix<{{[^>]*}} : f64>}
// CHECK-NEXT: %[[COEFFICIENTS:.*]] = ckks.rescale %[[PRODUCT]] {{.*}} -> !ckks.ct<level = 0, scale = 2^-10 * q1>
// CHECK-NEXT: ckks.mod_raise %[[COEFFICIENTS]]
// CHECK: ckks.linear_transform
// CHECK-NOT: ckks.linear_transform
// CHECK: %[[SINE:.*]] = ckks.add_scalar %{{.*}} {value = -0.15915494309189535} : !ckks.ct<level = 4, scale = 2^50>
// CHECK-NEXT: %[[RESULT:.*]] = ckks.reinterpret %[[SINE]] {factor = 1024.0} : !ckks.ct<level = 4, scale = 2^50> -> !ckks.ct<level = 4, scale = 2^40>
// CHECK-NEXT: return %[[RESULT]]
func.func @slots_first(%x: !ckks.ct<level = 1, scale = 2^40>) -> !ckks.ct<level = 4, scale = 2^40> {
  %z = ckks.bootstrap %x {range = 2.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1], slots_to_coefficients = [1], order = slots_to_coefficients_first, real}
       : !ckks.ct<level = 1, scale = 2^40> -> !ckks.ct<level = 4, scale = 2^40>
  return %z : !ckks.ct<level = 4, scale = 2^40>
}

// The first round has the operand's upper bits, at scale 2^40: 2^30 is what q2 may divide by. What it left is brought down whole.
// CHECK-LABEL: func.func @rounds
// CHECK-SAME: (%[[X:.*]]: !ckks.ct
// CHECK-NEXT: %[[UPPER:.*]] = ckks.adjust_scale %[[X]] : !ckks.ct<level = 1, scale = 2^60> -> !ckks.ct<level = 1, scale = 2^90>
// CHECK-NEXT: %[[LOWERED:.*]] = ckks.rescale %[[UPPER]] {{.*}} -> !ckks.ct<level = 0, scale = 2^90 * q2^-1>
// CHECK-NEXT: ckks.mod_raise %[[LOWERED]]
// CHECK: %[[FIRST:.*]] = ckks.rescale %{{.*}} -> !ckks.ct<level = 3, scale = 2^60>
// CHECK-NEXT: %[[DOWN:.*]] = ckks.drop_level %[[FIRST]] : !ckks.ct<level = 3, scale = 2^60> -> !ckks.ct<level = 1, scale = 2^60>
// CHECK-NEXT: %[[REST:.*]] = ckks.sub %[[X]], %[[DOWN]]
// CHECK-NEXT: %[[LIFTED:.*]] = ckks.adjust_scale %[[REST]] : !ckks.ct<level = 1, scale = 2^60> -> !ckks.ct<level = 1, scale = 2^110>
// CHECK-NEXT: %[[LOWERED:.*]] = ckks.rescale %[[LIFTED]] {{.*}} -> !ckks.ct<level = 0, scale = 2^110 * q2^-1>
// CHECK-NEXT: ckks.mod_raise %[[LOWERED]]
// CHECK: %[[SECOND:.*]] = ckks.rescale %{{.*}} -> !ckks.ct<level = 3, scale = 2^60>
// CHECK-NEXT: %[[RESULT:.*]] = ckks.add %[[FIRST]], %[[SECOND]]
// CHECK-NEXT: return %[[RESULT]]
func.func @rounds(%x: !ckks.ct<level = 1, scale = 2^60>) -> !ckks.ct<level = 3, scale = 2^60> {
  %z = ckks.bootstrap %x {range = 2.0, message_bound = 0.125, degree = 2, double_angles = 1,
                          coefficients_to_slots = [1], slots_to_coefficients = [1], real, iterations = 2, log_gain = 20}
       : !ckks.ct<level = 1, scale = 2^60> -> !ckks.ct<level = 3, scale = 2^60>
  return %z : !ckks.ct<level = 3, scale = 2^60>
}
}
