// Every message of the operations' verifiers, named after the constraint in CKKSOps.td that it enforces.
// RUN: sluice-opt --split-input-file --verify-diagnostics %s

// expected-note @+1 {{the floating operand comes from here: '!ckks.ct'}}
func.func @add_c1(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct) {
  // expected-error @+1 {{operands must be both floating or both settled; found '!ckks.ct<level = 1, scale = 2^45>' and '!ckks.ct'}}
  %0 = "ckks.add"(%a, %b) : (!ckks.ct<level = 1, scale = 2^45>, !ckks.ct) -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the higher operand comes from here: '!ckks.ct<level = 2, scale = 2^45>'}}
func.func @add_c2(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 2, scale = 2^45>) {
  // expected-error @+1 {{operands stand at different levels, 1 and 2; bring the higher one down with ckks.rescale or ckks.drop_level}}
  %0 = "ckks.add"(%a, %b) : (!ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 2, scale = 2^45>) -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @add_c3(%a: !ckks.ct<level = 1, scale = 2^90, size = 3>, %b: !ckks.ct<level = 1, scale = 2^90 * q0 * q1^-1, size = 3>) {
  // expected-note @+1 {{the second operand comes from here}}
  %0 = ckks.negate %b : !ckks.ct<level = 1, scale = 2^90 * q0 * q1^-1, size = 3>
  // expected-error @+1 {{operands have different scales, 2^90 and 2^90 * q0 * q1^-1; bring one to the other's with ckks.adjust_scale}}
  %1 = "ckks.add"(%a, %0) : (!ckks.ct<level = 1, scale = 2^90, size = 3>, !ckks.ct<level = 1, scale = 2^90 * q0 * q1^-1, size = 3>) -> !ckks.ct<level = 1, scale = 2^90>
  return
}

// -----

// expected-note @+1 {{the operand comes from here: '!ckks.ct<level = 1, scale = 2^45, size = 3>'}}
func.func @add_c4(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{operand has 3 polynomials, the other has 2; insert ckks.relinearize before it}}
  %0 = "ckks.add"(%a, %b) : (!ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45, size = 3>) -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @add_c5(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45>'; found '!ckks.ct'}}
  %0 = "ckks.add"(%a, %a) : (!ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct
  return
}

// -----

// expected-note @+1 {{the floating operand comes from here: '!ckks.ct'}}
func.func @sub_c1(%a: !ckks.ct, %b: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{operands must be both floating or both settled; found '!ckks.ct' and '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = "ckks.sub"(%a, %b) : (!ckks.ct, !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct
  return
}

// -----

// expected-note @+1 {{the higher operand comes from here: '!ckks.ct<level = 4, scale = 2^45>'}}
func.func @sub_c2(%a: !ckks.ct<level = 4, scale = 2^45>, %b: !ckks.ct<level = 2, scale = 2^45>) {
  // expected-error @+1 {{operands stand at different levels, 4 and 2; bring the higher one down with ckks.rescale or ckks.drop_level}}
  %0 = "ckks.sub"(%a, %b) : (!ckks.ct<level = 4, scale = 2^45>, !ckks.ct<level = 2, scale = 2^45>) -> !ckks.ct<level = 2, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the second operand comes from here: '!ckks.ct<level = 1, scale = 2^40>'}}
func.func @sub_c3(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^40>) {
  // expected-error @+1 {{operands have different scales, 2^45 and 2^40}}
  %0 = "ckks.sub"(%a, %b) : (!ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^40>) -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the operand comes from here: '!ckks.ct<level = 1, scale = 2^45, size = 3>'}}
func.func @sub_c4(%a: !ckks.ct<level = 1, scale = 2^45, size = 3>, %b: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{operand has 3 polynomials, the other has 2; insert ckks.relinearize before it}}
  %0 = "ckks.sub"(%a, %b) : (!ckks.ct<level = 1, scale = 2^45, size = 3>, !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @sub_c5(%a: !ckks.ct) {
  // expected-error @+1 {{result type must be '!ckks.ct'; found '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = "ckks.sub"(%a, %a) : (!ckks.ct, !ckks.ct) -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @negate_c1(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45>'; found '!ckks.ct<level = 0, scale = 2^45>'}}
  %0 = ckks.negate %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the floating operand comes from here: '!ckks.ct'}}
func.func @mul_c1(%a: !ckks.ct, %b: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{operands must be both floating or both settled}}
  %0 = ckks.mul %a, %b : !ckks.ct, !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct
  return
}

// -----

// expected-note @+1 {{the higher operand comes from here: '!ckks.ct<level = 3, scale = 2^45>'}}
func.func @mul_c2(%a: !ckks.ct<level = 3, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{operands stand at different levels, 3 and 1}}
  %0 = ckks.mul %a, %b : !ckks.ct<level = 3, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^90, size = 3>
  return
}

// -----

// expected-note @+1 {{the operand comes from here: '!ckks.ct<level = 1, scale = 2^45, size = 3>'}}
func.func @mul_c3(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{operand has 3 polynomials, a factor must have 2; insert ckks.relinearize before it}}
  %0 = ckks.mul %a, %b : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45, size = 3> -> !ckks.ct<level = 1, scale = 2^90, size = 3>
  return
}

// -----

func.func @mul_c4(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = q1>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45 * q1, size = 3>'; found '!ckks.ct<level = 1, scale = 2^45 * q1>'}}
  %0 = ckks.mul %a, %b : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = q1> -> !ckks.ct<level = 1, scale = 2^45 * q1>
  return
}

// -----

func.func @mul_c4_floating(%a: !ckks.ct) {
  // expected-error @+1 {{result type must be '!ckks.ct'; found '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = ckks.mul %a, %a : !ckks.ct, !ckks.ct -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @square_c1(%a: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{operand has 3 polynomials, a factor must have 2; insert ckks.relinearize before it}}
  %0 = ckks.square %a : !ckks.ct<level = 1, scale = 2^45, size = 3> -> !ckks.ct<level = 1, scale = 2^90, size = 3>
  return
}

// -----

func.func @square_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^90, size = 3>'; found '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = ckks.square %a : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the operand comes from here: '!ckks.ct'}}
func.func @relinearize_c1(%a: !ckks.ct) {
  // expected-error @+1 {{needs a settled operand, with a level and a scale; found '!ckks.ct'}}
  %0 = ckks.relinearize %a : !ckks.ct
  return
}

// -----

func.func @relinearize_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{operand has 2 polynomials already: nothing to relinearize}}
  %0 = ckks.relinearize %a : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @relinearize_c3(%a: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45>'; found '!ckks.ct<level = 0, scale = 2^45>'}}
  %0 = ckks.relinearize %a : !ckks.ct<level = 1, scale = 2^45, size = 3> -> !ckks.ct<level = 0, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the operand comes from here: '!ckks.ct'}}
func.func @rescale_c1(%a: !ckks.ct) {
  // expected-error @+1 {{needs a settled operand, with a level and a scale; found '!ckks.ct'}}
  %0 = ckks.rescale %a : !ckks.ct
  return
}

// -----

func.func @rescale_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result must stand at a level below 1; found '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = ckks.rescale %a : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @rescale_c3(%a: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{result size must be that of the operand, 3; found 2}}
  %0 = ckks.rescale %a : !ckks.ct<level = 1, scale = 2^45, size = 3> -> !ckks.ct<level = 0, scale = 2^45 * q1^-1>
  return
}

// -----

// Levels that are not nested: from {0, 1} to {2}.
module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 1873], levels = [[0], [0, 1], [2]]>} {
func.func @rescale_c4(%a: !ckks.ct<level = 2, scale = 2^45>) {
  %0 = ckks.rescale %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q0 * q1 * q2^-1>
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45 * q0 * q1 * q2^-1>'; found '!ckks.ct<level = 1, scale = 2^45 * q2^-1>'}}
  %1 = ckks.rescale %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q2^-1>
  return
}
}

// -----

// expected-note @+1 {{the operand comes from here: '!ckks.ct'}}
func.func @drop_level_c1(%a: !ckks.ct) {
  // expected-error @+1 {{needs a settled operand, with a level and a scale; found '!ckks.ct'}}
  %0 = ckks.drop_level %a : !ckks.ct
  return
}

// -----

func.func @drop_level_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result must stand at a level below 1; found '!ckks.ct<level = 2, scale = 2^45>'}}
  %0 = ckks.drop_level %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45>
  return
}

// -----

func.func @drop_level_c3(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 0, scale = 2^45>'; found '!ckks.ct<level = 0, scale = 2^44>'}}
  %0 = ckks.drop_level %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^44>
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 1873], levels = [[0], [0, 1], [0, 2]]>} {
func.func @drop_level_c4(%a: !ckks.ct<level = 2, scale = 2^45>) {
  %0 = ckks.drop_level %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  // expected-error @+1 {{level 1 has limb 1, which level 2 has not: forgetting limbs does not lead there; use ckks.rescale or ckks.adjust_scale with ckks.rescale}}
  %1 = ckks.drop_level %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45>
  return
}
}

// -----

// expected-note @+1 {{the operand comes from here: '!ckks.ct'}}
func.func @adjust_scale_c1(%a: !ckks.ct) {
  // expected-error @+1 {{needs a settled operand, with a level and a scale; found '!ckks.ct'}}
  %0 = ckks.adjust_scale %a : !ckks.ct
  return
}

// -----

func.func @adjust_scale_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result must keep level 1 and size 2; found '!ckks.ct<level = 0, scale = 2^90>'}}
  %0 = ckks.adjust_scale %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^90>
  return
}

// -----

func.func @adjust_scale_c3(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{the ratio of the scales, 2^(59/2), is below 2^30 and not a natural number: rounding it would spoil the value}}
  %0 = ckks.adjust_scale %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^(149/2)>
  return
}

// -----

// 2^36 / 97 = 2^29.4; without the chain the limb would have no value.
module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0], [0, 1]]>} {
func.func @adjust_scale_c3_limb(%a: !ckks.ct<level = 1, scale = 2^45>) {
  %0 = ckks.adjust_scale %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^82 * q1^-1>
  // expected-error @+1 {{the ratio of the scales, 2^36 * q1^-1, is below 2^30 and not a natural number}}
  %1 = ckks.adjust_scale %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^81 * q1^-1>
  return
}
}

// -----

func.func @reinterpret_c1(%a: !ckks.ct) {
  // expected-error @+1 {{factor must be a positive power of two, so that the new scale is exact; found 3.0}}
  %0 = ckks.reinterpret %a {factor = 3.0} : !ckks.ct
  return
}

// -----

func.func @reinterpret_c1_negative(%a: !ckks.ct) {
  // expected-error @+1 {{factor must be a positive power of two, so that the new scale is exact; found -2.0}}
  %0 = ckks.reinterpret %a {factor = -2.0} : !ckks.ct
  return
}

// -----

func.func @reinterpret_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^44>'; found '!ckks.ct<level = 1, scale = 2^46>'}}
  %0 = ckks.reinterpret %a {factor = 2.0} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^46>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @rotate_c1(%a: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{operand has 3 polynomials, an automorphism needs 2; insert ckks.relinearize before it}}
  %0 = ckks.rotate %a {by = 1} : !ckks.ct<level = 1, scale = 2^45, size = 3>
  return
}

// -----

func.func @rotate_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45>'; found '!ckks.ct'}}
  %0 = ckks.rotate %a {by = 1} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @conjugate_c1(%a: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{operand has 3 polynomials, an automorphism needs 2; insert ckks.relinearize before it}}
  %0 = ckks.conjugate %a : !ckks.ct<level = 1, scale = 2^45, size = 3>
  return
}

// -----

func.func @conjugate_c2(%a: !ckks.ct) {
  // expected-error @+1 {{result type must be '!ckks.ct'; found '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = ckks.conjugate %a : !ckks.ct -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @mul_by_i_c1(%a: !ckks.ct) {
  // expected-error @+1 {{result type must be '!ckks.ct'; found '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = ckks.mul_by_i %a : !ckks.ct -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @add_plain_c1(%a: !ckks.ct) {
  // expected-error @+1 {{value must have rank 1; found 'tensor<2x2xf64>'}}
  %0 = ckks.add_plain %a {value = dense<1.0> : tensor<2x2xf64>} : !ckks.ct
  return
}

// -----

func.func @add_plain_c1_count(%a: !ckks.ct) {
  // expected-error @+1 {{value must have a power of two of entries, to divide the slots; found 3}}
  %0 = ckks.add_plain %a {value = dense<1.0> : tensor<3xf64>} : !ckks.ct
  return
}

// -----

func.func @add_plain_type(%a: !ckks.ct) {
  // expected-error @+1 {{attribute 'value' failed to satisfy constraint: dense elements of f64}}
  %0 = ckks.add_plain %a {value = dense<1.0> : tensor<2xf32>} : !ckks.ct
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17], levels = [[0]]>} {
func.func @add_plain_c2(%a: !ckks.ct) {
  // expected-error @+1 {{value has 8 entries; 'ckks.params' gives 4 slots}}
  %0 = ckks.add_plain %a {value = dense<1.0> : tensor<8xf64>} : !ckks.ct
  return
}
}

// -----

func.func @add_plain_c3(%a: !ckks.ct) {
  // expected-error @+1 {{value has an element that is not finite}}
  %0 = ckks.add_plain %a {value = dense<[1.0, 0x7FF0000000000000]> : tensor<2xf64>} : !ckks.ct
  return
}

// -----

func.func @add_plain_c4(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45>'; found '!ckks.ct'}}
  %0 = ckks.add_plain %a {value = dense<1.0> : tensor<2xf64>} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct
  return
}

// -----

func.func @mul_plain_c1(%a: !ckks.ct) {
  // expected-error @+1 {{value must have a power of two of entries, to divide the slots; found 0}}
  %0 = ckks.mul_plain %a {value = dense<[]> : tensor<0xf64>} : !ckks.ct
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17], levels = [[0]]>} {
func.func @mul_plain_c2(%a: !ckks.ct) {
  // expected-error @+1 {{value has 16 entries; 'ckks.params' gives 4 slots}}
  %0 = ckks.mul_plain %a {value = dense<1.0> : tensor<16xf64>} : !ckks.ct
  return
}
}

// -----

func.func @mul_plain_c3(%a: !ckks.ct) {
  // expected-error @+1 {{value has an element that is not finite}}
  %0 = ckks.mul_plain %a {value = dense<[1.0, 0x7FF8000000000000]> : tensor<2xf64>} : !ckks.ct
  return
}

// -----

func.func @mul_plain_c4(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{on a settled operand needs the scale of its plaintext, as in scale = #ckks.scale<2^45>}}
  %0 = ckks.mul_plain %a {value = dense<1.0> : tensor<2xf64>} : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @mul_plain_c4_floating(%a: !ckks.ct) {
  // expected-error @+1 {{on a floating operand has no scale: settle-scales chooses it}}
  %0 = ckks.mul_plain %a {value = dense<1.0> : tensor<2xf64>, scale = #ckks.scale<2^45>} : !ckks.ct
  return
}

// -----

func.func @mul_plain_c5(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^75>'; found '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = ckks.mul_plain %a {value = dense<1.0> : tensor<2xf64>, scale = #ckks.scale<2^30>} : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @add_scalar_c1(%a: !ckks.ct) {
  // expected-error @+1 {{value must be finite}}
  %0 = ckks.add_scalar %a {value = 0x7FF0000000000000 : f64} : !ckks.ct
  return
}

// -----

func.func @add_scalar_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45>'; found '!ckks.ct'}}
  %0 = ckks.add_scalar %a {value = 1.0} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct
  return
}

// -----

func.func @add_scalar_number(%a: !ckks.ct) {
  // expected-error @+1 {{expected a number of type f64}}
  %0 = ckks.add_scalar %a {value = 1.0 : f32} : !ckks.ct
  return
}

// -----

func.func @mul_scalar_c1(%a: !ckks.ct) {
  // expected-error @+1 {{value must be finite}}
  %0 = ckks.mul_scalar %a {value = 0x7FF8000000000000 : f64} : !ckks.ct
  return
}

// -----

func.func @mul_scalar_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{on a settled operand needs the scale of its plaintext, as in scale = #ckks.scale<2^45>}}
  %0 = ckks.mul_scalar %a {value = 1.0} : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @mul_scalar_c3(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{value 0.5 is not an integer; at scale 2^0 it would be rounded to one}}
  %0 = ckks.mul_scalar %a {value = 0.5, scale = #ckks.scale<2^0>} : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @mul_scalar_c4(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45 * q1>'; found '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = ckks.mul_scalar %a {value = 0.5, scale = #ckks.scale<q1>} : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @linear_transform_c1(%a: !ckks.ct) {
  // expected-error @+1 {{diagonals must have shape K x M with K = 1 the number of indices, at least 1; found 'tensor<2x2xf64>'}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<1.0> : tensor<2x2xf64>} : !ckks.ct
  return
}

// -----

func.func @linear_transform_c1_rank(%a: !ckks.ct) {
  // expected-error @+1 {{diagonals must have shape K x M with K = 2 the number of indices, at least 1; found 'tensor<2xf64>'}}
  %0 = ckks.linear_transform %a {indices = [0, 1], diagonals = dense<1.0> : tensor<2xf64>} : !ckks.ct
  return
}

// -----

func.func @linear_transform_c1_empty(%a: !ckks.ct) {
  // expected-error @+1 {{with K = 0 the number of indices, at least 1; found 'tensor<0x2xf64>'}}
  %0 = ckks.linear_transform %a {indices = [], diagonals = dense<> : tensor<0x2xf64>} : !ckks.ct
  return
}

// -----

func.func @linear_transform_c2(%a: !ckks.ct) {
  // expected-error @+1 {{a diagonal must have a power of two of entries, to divide the slots; found 3}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<1.0> : tensor<1x3xf64>} : !ckks.ct
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17], levels = [[0]]>} {
func.func @linear_transform_c3(%a: !ckks.ct) {
  // expected-error @+1 {{a diagonal has 8 entries; 'ckks.params' gives 4 slots}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<1.0> : tensor<1x8xf64>} : !ckks.ct
  return
}
}

// -----

func.func @linear_transform_c4(%a: !ckks.ct) {
  // expected-error @+1 {{diagonals have an element that is not finite}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<[[1.0, 0x7FF0000000000000]]> : tensor<1x2xf64>} : !ckks.ct
  return
}

// -----

func.func @linear_transform_c5(%a: !ckks.ct) {
  // expected-error @+1 {{index 2 of a diagonal is outside [0, 2)}}
  %0 = ckks.linear_transform %a {indices = [0, 2], diagonals = dense<1.0> : tensor<2x2xf64>} : !ckks.ct
  return
}

// -----

func.func @linear_transform_c5_twice(%a: !ckks.ct) {
  // expected-error @+1 {{index 1 of a diagonal is given twice}}
  %0 = ckks.linear_transform %a {indices = [1, 1], diagonals = dense<1.0> : tensor<2x2xf64>} : !ckks.ct
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @linear_transform_c6(%a: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{operand has 3 polynomials, a linear transform rotates and needs 2; insert ckks.relinearize before it}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<1.0> : tensor<1x2xf64>, scale = #ckks.scale<2^0>} : !ckks.ct<level = 1, scale = 2^45, size = 3>
  return
}

// -----

func.func @linear_transform_c7(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{on a settled operand needs the scale of its plaintext, as in scale = #ckks.scale<2^45>}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<1.0> : tensor<1x2xf64>} : !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @linear_transform_c8(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^75>'; found '!ckks.ct<level = 0, scale = 2^75>'}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<1.0> : tensor<1x2xf64>, scale = #ckks.scale<2^30>} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^75>
  return
}

// -----

func.func @polynomial_c1(%a: !ckks.ct) {
  // expected-error @+1 {{coefficients must be a vector of at least one finite number; found 'tensor<1x2xf64>'}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<1.0> : tensor<1x2xf64>} : !ckks.ct
  return
}

// -----

func.func @polynomial_c1_empty(%a: !ckks.ct) {
  // expected-error @+1 {{coefficients must be a vector of at least one finite number; found 'tensor<0xf64>'}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<[]> : tensor<0xf64>} : !ckks.ct
  return
}

// -----

func.func @polynomial_c1_finite(%a: !ckks.ct) {
  // expected-error @+1 {{coefficients must be a vector of at least one finite number}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<[1.0, 0x7FF0000000000000]> : tensor<2xf64>} : !ckks.ct
  return
}

// -----

func.func @polynomial_c1_finite_imaginary(%a: !ckks.ct) {
  // expected-error @+1 {{coefficients must be a vector of at least one finite number}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<(1.0, 0x7FF0000000000000)> : tensor<2xcomplex<f64>>} : !ckks.ct
  return
}

// -----

func.func @polynomial_c2(%a: !ckks.ct) {
  // expected-error @+1 {{interval must be two numbers; found 1}}
  %0 = ckks.polynomial %a {basis = chebyshev, coefficients = dense<1.0> : tensor<2xf64>, interval = [1.0]} : !ckks.ct
  return
}

// -----

func.func @polynomial_c2_ascending(%a: !ckks.ct) {
  // expected-error @+1 {{interval must be finite and ascending; found [1.0, 1.0]}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<1.0> : tensor<2xf64>, interval = [1.0, 1.0]} : !ckks.ct
  return
}

// -----

func.func @polynomial_c3(%a: !ckks.ct) {
  // expected-error @+1 {{in basis chebyshev needs its interval, as in interval = [-8.0, 8.0]}}
  %0 = ckks.polynomial %a {basis = chebyshev, coefficients = dense<1.0> : tensor<2xf64>} : !ckks.ct
  return
}

// -----

func.func @polynomial_c4(%a: !ckks.ct) {
  // expected-error @+1 {{operand and result must be f64 or tensors of one type, both floating, or both settled; found '!ckks.ct' and '!ckks.ct<level = 1, scale = 2^45>'}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<1.0> : tensor<2xf64>} : !ckks.ct -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

func.func @polynomial_c4_tensor(%a: tensor<3xf64>) {
  // expected-error @+1 {{operand and result must be f64 or tensors of one type, both floating, or both settled; found 'tensor<3xf64>' and 'tensor<4xf64>'}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<1.0> : tensor<2xf64>} : tensor<3xf64> -> tensor<4xf64>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @polynomial_c5(%a: !ckks.ct<level = 1, scale = 2^45, size = 3>) {
  // expected-error @+1 {{operand has 3 polynomials, a factor must have 2; insert ckks.relinearize before it}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<1.0> : tensor<2xf64>} : !ckks.ct<level = 1, scale = 2^45, size = 3> -> !ckks.ct<level = 0, scale = 2^45>
  return
}

// -----

func.func @polynomial_c5_result(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result must have size 2; found '!ckks.ct<level = 0, scale = 2^45, size = 3>'}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<1.0> : tensor<2xf64>} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45, size = 3>
  return
}

// -----

// Degree 4 needs ceil(log2(5)) = 3 levels, degree 3 only 2.
func.func @polynomial_c6(%a: !ckks.ct<level = 4, scale = 2^45>) {
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<1.0> : tensor<4xf64>} : !ckks.ct<level = 4, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45>
  // expected-error @+1 {{of degree 4 uses 3 levels: the result must stand at level 1; found '!ckks.ct<level = 2, scale = 2^45>'}}
  %1 = ckks.polynomial %a {basis = monomial, coefficients = dense<1.0> : tensor<5xf64>} : !ckks.ct<level = 4, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45>
  return
}

// -----

func.func @polynomial_c7(%a: f64) {
  // expected-error @+1 {{has complex coefficients, but its operand 'f64' is real}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<(1.0, 2.0)> : tensor<2xcomplex<f64>>} : f64
  return
}

// -----

func.func @mul_plain_c6(%a: !ckks.ct) {
  // expected-error @+1 {{complex elements need a settled operand}}
  %0 = ckks.mul_plain %a {value = dense<[(1.0, 0.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>} : !ckks.ct
  return
}

// -----

func.func @linear_transform_c9(%a: !ckks.ct) {
  // expected-error @+1 {{complex elements need a settled operand}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<[[(1.0, 0.0), (0.0, 1.0)]]> : tensor<1x2xcomplex<f64>>} : !ckks.ct
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @mod_raise_c1(%a: !ckks.ct) {
  // expected-error @+1 {{needs a settled operand, with a level and a scale; found '!ckks.ct'}}
  %0 = ckks.mod_raise %a : !ckks.ct
  return
}

// -----

func.func @mod_raise_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result must stand at a level above 1; found '!ckks.ct<level = 1, scale = q0>'}}
  %0 = ckks.mod_raise %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = q0>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @mod_raise_c3(%a: !ckks.ct<level = 0, scale = 2^45, size = 3>) {
  // expected-error @+1 {{a larger modulus is for 2}}
  %0 = ckks.mod_raise %a : !ckks.ct<level = 0, scale = 2^45, size = 3> -> !ckks.ct<level = 1, scale = q0>
  return
}

// -----

func.func @mod_raise_c3_result(%a: !ckks.ct<level = 0, scale = 2^45>) {
  // expected-error @+1 {{result must have size 2; found 3}}
  %0 = ckks.mod_raise %a : !ckks.ct<level = 0, scale = 2^45> -> !ckks.ct<level = 1, scale = q0, size = 3>
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @mod_raise_c4(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 2, scale = q0 * q1>'; found '!ckks.ct<level = 2, scale = q0>'}}
  %0 = ckks.mod_raise %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 2, scale = q0>
  return
}
}

// -----

func.func @refresh_c1(%a: !ckks.ct) {
  // expected-error @+1 {{result type must be '!ckks.ct'; found '!ckks.ct<level = 1, scale = 2^35>'}}
  %0 = ckks.refresh %a : !ckks.ct -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @refresh_c2(%a: !ckks.ct<level = 1, scale = 2^35>) {
  // expected-error @+1 {{operand must be floating; found '!ckks.ct<level = 1, scale = 2^35>': settled programs have ckks.bootstrap}}
  %0 = ckks.refresh %a : !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c1(%a: !ckks.ct<level = 0, scale = 2^35, size = 3>) {
  // expected-error @+1 {{operand and result must be settled and of size 2; found '!ckks.ct<level = 0, scale = 2^35, size = 3>'}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35, size = 3> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c2(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{range must be from 1 to 65536; found 0.5}}
  %0 = ckks.bootstrap %a {range = 0.5, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c2_bound(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{message_bound must be between 0 and 1/4; found 0.25}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.25, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c3(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{degree must be from 2 to 1023; found 1}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 1, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c4(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{double_angles must be from 0 to 16; found 17}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 17,
                          coefficients_to_slots = [2], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c5(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{arcsine_degree must be odd, from 1 to 63; found 2}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], arcsine_degree = 2}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c8(%a: !ckks.ct<level = 1, scale = 2^35>) {
  // expected-error @+1 {{result must stand at a level above 1; found '!ckks.ct<level = 1, scale = 2^35>'}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2]}
       : !ckks.ct<level = 1, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @bootstrap_c6(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{coefficients_to_slots must have 2 factors, log2 of 4 slots; found 3}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2, 1], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @bootstrap_c6_group(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{slots_to_coefficients has a group of 0 factors}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [0, 2]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @bootstrap_c7(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{with 4 levels of its own, of 6, the result stands at level 1; found '!ckks.ct<level = 2, scale = 2^35>'}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 2, scale = 2^35>
  return
}
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @rotate_c3(%a: !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>) {
  // expected-error @+1 {{operand is under the ephemeral secret, which has no key for this; insert ckks.switch_key before it}}
  %0 = ckks.rotate %a {by = 1} : !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @conjugate_c3(%a: !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>) {
  // expected-error @+1 {{operand is under the ephemeral secret, which has no key for this; insert ckks.switch_key before it}}
  %0 = ckks.conjugate %a : !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @linear_transform_c10(%a: !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>) {
  // expected-error @+1 {{operand is under the ephemeral secret, which has no key for this; insert ckks.switch_key before it}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<[[1.0, 2.0]]> : tensor<1x2xf64>, scale = #ckks.scale<2^30>} : !ckks.ct<level = 1, scale = 2^45, secret = ephemeral> -> !ckks.ct<level = 1, scale = 2^75, secret = ephemeral>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @polynomial_c8(%a: !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>) {
  // expected-error @+1 {{operand is under the ephemeral secret, which has no key for this; insert ckks.switch_key before it}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<[0.0, 1.0]> : tensor<2xf64>} : !ckks.ct<level = 1, scale = 2^45, secret = ephemeral> -> !ckks.ct<level = 0, scale = 2^45, secret = ephemeral>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @relinearize_c4(%a: !ckks.ct<level = 1, scale = 2^45, size = 3, secret = ephemeral>) {
  // expected-error @+1 {{operand is under the ephemeral secret, which has no key for this; insert ckks.switch_key before it}}
  %0 = ckks.relinearize %a : !ckks.ct<level = 1, scale = 2^45, size = 3, secret = ephemeral> -> !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>
  return
}

// -----

// expected-note @+1 {{the ephemeral operand comes from here}}
func.func @add_c2_secret(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>) {
  // expected-error @+1 {{operands are under different secrets; bring both to the main one with ckks.switch_key}}
  %0 = ckks.add %a, %b : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45, secret = ephemeral> -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the ephemeral operand comes from here}}
func.func @sub_c2_secret(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>) {
  // expected-error @+1 {{operands are under different secrets; bring both to the main one with ckks.switch_key}}
  %0 = ckks.sub %a, %b : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45, secret = ephemeral> -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the ephemeral operand comes from here}}
func.func @mul_c2_secret(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>) {
  // expected-error @+1 {{operands are under different secrets; bring both to the main one with ckks.switch_key}}
  %0 = ckks.mul %a, %b : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45, secret = ephemeral> -> !ckks.ct<level = 1, scale = 2^90, size = 3>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @switch_key_c1(%a: !ckks.ct) {
  // expected-error @+1 {{needs a settled operand, with a level and a scale; found '!ckks.ct'}}
  %0 = ckks.switch_key %a : !ckks.ct -> !ckks.ct<level = 0, scale = 2^45, secret = ephemeral>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @switch_key_c2(%a: !ckks.ct<level = 0, scale = 2^45, size = 3>) {
  // expected-error @+1 {{operand has 3 polynomials, keys are switched between 2; insert ckks.relinearize before it}}
  %0 = ckks.switch_key %a : !ckks.ct<level = 0, scale = 2^45, size = 3> -> !ckks.ct<level = 0, scale = 2^45, size = 3, secret = ephemeral>
  return
}

// -----

func.func @switch_key_c3(%a: !ckks.ct<level = 0, scale = 2^45>) {
  // expected-error @+1 {{operand and result are under one secret; found '!ckks.ct<level = 0, scale = 2^45>'}}
  %0 = ckks.switch_key %a : !ckks.ct<level = 0, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return
}

// -----

func.func @switch_key_c3_scale(%a: !ckks.ct<level = 0, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 0, scale = 2^45, secret = ephemeral>'; found '!ckks.ct<level = 0, scale = 2^40, secret = ephemeral>'}}
  %0 = ckks.switch_key %a : !ckks.ct<level = 0, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^40, secret = ephemeral>
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0], [0, 1]]>} {
func.func @switch_key_c4(%a: !ckks.ct<level = 0, scale = 2^45>) {
  // expected-error @+1 {{needs an ephemeral secret, which 'ckks.params' has not}}
  %0 = ckks.switch_key %a : !ckks.ct<level = 0, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45, secret = ephemeral>
  return
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113], levels = [[0], [0, 1]], ephemeral = "ephemeral-32", ephemeral_special = [2]>} {
func.func @switch_key_c5(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{to the ephemeral secret must be at level 0; found level 1}}
  %0 = ckks.switch_key %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45, secret = ephemeral>
  return
}
}

// -----

// expected-note @+1 {{the second operand comes from here}}
func.func @add_c2_slots(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{operands repeat after different numbers of slots, '!ckks.ct<level = 1, scale = 2^45>' and '!ckks.ct<level = 1, scale = 2^45, slots = 2>'; bring one to the other's with ckks.view_slots}}
  %0 = ckks.add %a, %b : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45, slots = 2> -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the second operand comes from here}}
func.func @sub_c2_slots(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{operands repeat after different numbers of slots, '!ckks.ct<level = 1, scale = 2^45>' and '!ckks.ct<level = 1, scale = 2^45, slots = 2>'; bring one to the other's with ckks.view_slots}}
  %0 = ckks.sub %a, %b : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45, slots = 2> -> !ckks.ct<level = 1, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the second operand comes from here}}
func.func @mul_c2_slots(%a: !ckks.ct<level = 1, scale = 2^45>, %b: !ckks.ct<level = 1, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{operands repeat after different numbers of slots, '!ckks.ct<level = 1, scale = 2^45>' and '!ckks.ct<level = 1, scale = 2^45, slots = 2>'; bring one to the other's with ckks.view_slots}}
  %0 = ckks.mul %a, %b : !ckks.ct<level = 1, scale = 2^45>, !ckks.ct<level = 1, scale = 2^45, slots = 2> -> !ckks.ct<level = 1, scale = 2^90, size = 3>
  return
}

// -----

func.func @rescale_c3_slots(%a: !ckks.ct<level = 1, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{result must have the slots of the operand, '!ckks.ct<level = 1, scale = 2^45, slots = 2>'; found '!ckks.ct<level = 0, scale = 2^45>'}}
  %0 = ckks.rescale %a : !ckks.ct<level = 1, scale = 2^45, slots = 2> -> !ckks.ct<level = 0, scale = 2^45>
  return
}

// -----

func.func @drop_level_c3_slots(%a: !ckks.ct<level = 1, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 0, scale = 2^45, slots = 2>'; found '!ckks.ct<level = 0, scale = 2^45>'}}
  %0 = ckks.drop_level %a : !ckks.ct<level = 1, scale = 2^45, slots = 2> -> !ckks.ct<level = 0, scale = 2^45>
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @mod_raise_c4_slots(%a: !ckks.ct<level = 0, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 2, scale = q0>'; found '!ckks.ct<level = 2, scale = q0, slots = 2>'}}
  %0 = ckks.mod_raise %a : !ckks.ct<level = 0, scale = 2^45, slots = 2> -> !ckks.ct<level = 2, scale = q0, slots = 2>
  return
}
}

// -----

func.func @add_plain_c2_slots(%a: !ckks.ct<level = 0, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{value has 4 entries; the operand has 2 slots}}
  %0 = ckks.add_plain %a {value = dense<1.0> : tensor<4xf64>} : !ckks.ct<level = 0, scale = 2^45, slots = 2>
  return
}

// -----

func.func @linear_transform_c3_slots(%a: !ckks.ct<level = 0, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{a diagonal has 4 entries; the operand has 2 slots}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<1.0> : tensor<1x4xf64>, scale = #ckks.scale<2^0>} : !ckks.ct<level = 0, scale = 2^45, slots = 2>
  return
}

// -----

func.func @polynomial_c5_slots(%a: !ckks.ct<level = 1, scale = 2^45, slots = 2>) {
  // expected-error @+1 {{result must have the slots of the operand, '!ckks.ct<level = 1, scale = 2^45, slots = 2>'; found '!ckks.ct<level = 0, scale = 2^45>'}}
  %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<[0.0, 1.0]> : tensor<2xf64>} : !ckks.ct<level = 1, scale = 2^45, slots = 2> -> !ckks.ct<level = 0, scale = 2^45>
  return
}

// -----

// expected-note @+1 {{the operand comes from here}}
func.func @view_slots_c1(%a: !ckks.ct) {
  // expected-error @+1 {{needs a settled operand, with a level and a scale; found '!ckks.ct'}}
  %0 = ckks.view_slots %a : !ckks.ct -> !ckks.ct<level = 1, scale = 2^45, slots = 2>
  return
}

// -----

func.func @view_slots_c2(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result type must be '!ckks.ct<level = 1, scale = 2^45, slots = 2>'; found '!ckks.ct<level = 1, scale = 2^44, slots = 2>'}}
  %0 = ckks.view_slots %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^44, slots = 2>
  return
}

// -----

func.func @view_slots_c2_floating(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{result must be settled; found '!ckks.ct'}}
  %0 = ckks.view_slots %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct
  return
}

// -----

func.func @bootstrap_c3_nodes(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{degree must be from 24 to 1023; found 23}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 23, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], nodes = han_ki}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c6_slots(%a: !ckks.ct<level = 0, scale = 2^35, slots = 4>) {
  // expected-error @+1 {{result must have the slots of the operand, '!ckks.ct<level = 0, scale = 2^35, slots = 4>'; found '!ckks.ct<level = 1, scale = 2^35>'}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35, slots = 4> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @bootstrap_c6_own_slots(%a: !ckks.ct<level = 0, scale = 2^35, slots = 2>) {
  // expected-error @+1 {{slots_to_coefficients must have 1 factors, log2 of 2 slots; found 2}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [1], slots_to_coefficients = [2]}
       : !ckks.ct<level = 0, scale = 2^35, slots = 2> -> !ckks.ct<level = 1, scale = 2^35, slots = 2>
  return
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @bootstrap_c6_one_slot(%a: !ckks.ct<level = 0, scale = 2^35, slots = 1>) {
  // expected-error @+1 {{of one slot has no coefficients_to_slots; look at it as two with ckks.view_slots}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [], slots_to_coefficients = []}
       : !ckks.ct<level = 0, scale = 2^35, slots = 1> -> !ckks.ct<level = 1, scale = 2^35, slots = 1>
  return
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @bootstrap_c7_order(%a: !ckks.ct<level = 1, scale = 2^35>) {
  // expected-error @+1 {{with 3 levels of its own, of 6, the result stands at level 2; found '!ckks.ct<level = 3, scale = 2^35>'}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], order = slots_to_coefficients_first}
       : !ckks.ct<level = 1, scale = 2^35> -> !ckks.ct<level = 3, scale = 2^35>
  return
}
}

// -----

func.func @bootstrap_c9(%a: !ckks.ct<level = 1, scale = 2^35>) {
  // expected-error @+1 {{with SlotsToCoeffs first, of 2 factors, begins at level 2; found '!ckks.ct<level = 1, scale = 2^35>'}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [1, 1], order = slots_to_coefficients_first}
       : !ckks.ct<level = 1, scale = 2^35> -> !ckks.ct<level = 4, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c10(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{iterations must be from 1 to 8; found 9}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], iterations = 9, log_gain = 10}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c10_no_gain(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{of 2 iterations needs a log_gain from 1 to 100; found 0}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], iterations = 2}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c10_gain(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{has a log_gain of 10, but one iteration}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], log_gain = 10}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @bootstrap_c11(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{of 2 iterations must keep the scale, 2^35; found '!ckks.ct<level = 1, scale = 2^36>'}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], iterations = 2, log_gain = 10}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^36>
  return
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]>} {
func.func @bootstrap_c12(%a: !ckks.ct<level = 0, scale = 2^35>) {
  // expected-error @+1 {{of 3 iterations gains 14 bits, but level 0 has 0 more than level 0}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], iterations = 3, log_gain = 7}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113, 193, 241, 257, 337], levels = [[0], [0, 1], [0, 2, 3], [0, 2, 3, 4], [0, 2, 3, 4, 5], [0, 2, 3, 4, 5, 1], [0, 2, 3, 4, 5, 1, 6]]>} {
func.func @bootstrap_c13(%a: !ckks.ct<level = 1, scale = 2^35>) {
  // expected-error @+1 {{subtracts its result at level 1, of which level 2 neither has all limbs nor 64 bits more}}
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2], iterations = 2, log_gain = 7}
       : !ckks.ct<level = 1, scale = 2^35> -> !ckks.ct<level = 2, scale = 2^35>
  return
}
}

// -----

func.func @bootstrap_syntax(%a: !ckks.ct<level = 0, scale = 2^35>) {
  %0 = ckks.bootstrap %a {range = 12.0, message_bound = 0.125, degree = 2, double_angles = 0,
                          coefficients_to_slots = [2], slots_to_coefficients = [2],
                          // expected-error @+1 {{'real' is given twice or unknown; a bootstrap has arcsine_degree, nodes, order, real, iterations and log_gain here}}
                          real, real}
       : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 1, scale = 2^35>
  return
}

// -----

func.func @mul_plain_c7(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{the generator gives vectors of 2 complex numbers; found 'tensor<4xcomplex<f64>>'}}
  %0 = ckks.mul_plain %a {value = dense<(1.0, 0.0)> : tensor<4xcomplex<f64>>, scale = #ckks.scale<2^30>, generator = #ckks.dft_diagonal<matrix = <direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 5.0e-01 : f64>, index = 0, rotation = 0>} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^75>
  return
}

// -----

func.func @linear_transform_c11(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{the generator gives vectors of 2 complex numbers; found 'tensor<1x2xf64>'}}
  %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<1.0> : tensor<1x2xf64>, scale = #ckks.scale<2^30>, generator = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 5.0e-01 : f64>} : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^75>
  return
}

// -----

// expected-error @+1 {{log_slots must be between 1 and 16; found 17}}
func.func private @dft_matrix_c1() attributes {matrix = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 17, first = 1, count = 1, factor = 5.0e-01 : f64>}

// -----

// expected-error @+1 {{the factors must be among V_1 to V_3; found 1 from V_0}}
func.func private @dft_matrix_c2() attributes {matrix = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 3, first = 0, count = 1, factor = 5.0e-01 : f64>}

// -----

// expected-error @+1 {{the factors must be among V_1 to V_3; found 3 from V_2}}
func.func private @dft_matrix_c2_end() attributes {matrix = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 3, first = 2, count = 3, factor = 5.0e-01 : f64>}

// -----

// expected-error @+1 {{factor must be a finite f64; found 0x7FF0000000000000 : f64}}
func.func private @dft_matrix_c3() attributes {matrix = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 0x7FF0000000000000 : f64>}

// -----

// expected-error @+1 {{factor must be a finite f64; found 1.000000e+00 : f32}}
func.func private @dft_matrix_c3_type() attributes {matrix = #ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 1.0 : f32>}

// -----

// expected-error @+1 {{index and rotation must be in [0, 2); found 2 and 0}}
func.func private @dft_diagonal_c1() attributes {diagonal = #ckks.dft_diagonal<matrix = <direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 5.0e-01 : f64>, index = 2, rotation = 0>}

// -----

// expected-error @+1 {{index and rotation must be in [0, 2); found 1 and -1}}
func.func private @dft_diagonal_c1_rotation() attributes {diagonal = #ckks.dft_diagonal<matrix = <direction = slots_to_coefficients, log_slots = 1, first = 1, count = 1, factor = 5.0e-01 : f64>, index = 1, rotation = -1>}
