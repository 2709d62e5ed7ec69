// Every message of the dialect's attributes.
// RUN: sluice-opt --split-input-file --verify-diagnostics %s

// expected-error @+1 {{expected a scale, as in #ckks.scale<2^45>}}
module attributes {test.scale = #ckks.scale} {}

// -----

// expected-error @+1 {{malformed scale '2^': expected an exponent}}
module attributes {test.scale = #ckks.scale<2^>} {}

// -----

// expected-error @+1 {{logN must be between 1 and 17; found 18}}
module attributes {test.params_c1 = #ckks.params<logN = 18, limbs = [], levels = []>} {}

// -----

// 1729 = 7 * 13 * 19 = 1 modulo 16 passes the Fermat test to many bases.
// expected-error @+1 {{limb 0 = 1729 is not a prime below 2^50}}
module attributes {test.params_c2 = #ckks.params<logN = 3, limbs = [1729], levels = [[0]]>} {}

// -----

// expected-error @+1 {{limb 0 = 1125899906842817 is not a prime below 2^50}}
module attributes {test.params_c2 = #ckks.params<logN = 3, limbs = [1125899906842817], levels = [[0]]>} {}

// -----

// expected-error @+1 {{limb 1 = 41 is not 1 modulo 2N = 16: it has no number-theoretic transform}}
module attributes {test.params_c3 = #ckks.params<logN = 3, limbs = [17, 41], levels = [[0]]>} {}

// -----

// expected-error @+1 {{limb 1 = 17 is in the table twice}}
module attributes {test.params_c4 = #ckks.params<logN = 3, limbs = [17, 17], levels = [[0]]>} {}

// -----

// expected-error @+1 {{level 1 names limb 2; the limb table has 2 limbs}}
module attributes {test.params_c5 = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0], [0, 2]]>} {}

// -----

// expected-error @+1 {{special names limb -1; the limb table has 2 limbs}}
module attributes {test.params_c5 = #ckks.params<logN = 3, limbs = [17, 97], special = [-1], levels = [[0]]>} {}

// -----

// expected-error @+1 {{digit 0 names limb 0 twice}}
module attributes {test.params_c6 = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0, 0]]>} {}

// -----

// expected-error @+1 {{there must be at least one level}}
module attributes {test.params_c7 = #ckks.params<logN = 3, limbs = [17], levels = []>} {}

// -----

// expected-error @+1 {{level 0 has no limb}}
module attributes {test.params_c7 = #ckks.params<logN = 3, limbs = [17], levels = [[], [0]]>} {}

// -----

// More limbs need not be more bits: 17 * 97 < 1873.
// expected-error @+1 {{the modulus of level 1 is not larger than that of level 0}}
module attributes {test.params_c8 = #ckks.params<logN = 3, limbs = [17, 97, 1873], levels = [[2], [0, 1]]>} {}

// -----

// expected-error @+1 {{limb 1 is special and in level 1; a limb of P belongs to no level}}
module attributes {test.params_c9 = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0], [0, 1]], digits = [[0], [1]]>} {}

// -----

// expected-error @+1 {{digit 0 has no limb}}
module attributes {test.params_c10 = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[]]>} {}

// -----

// expected-error @+1 {{limb 0 of digit 1 is in another digit too}}
module attributes {test.params_c10 = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0], [0]]>} {}

// -----

// expected-error @+1 {{limb 1 of digit 0 is in no level}}
module attributes {test.params_c10 = #ckks.params<logN = 3, limbs = [17, 97, 113], special = [2], levels = [[0]], digits = [[1]]>} {}

// -----

// expected-error @+1 {{limb 0 is in a level but in no digit}}
module attributes {test.params_c10 = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]]>} {}

// -----

// expected-error @+1 {{digit 0 is larger than P, the product of the special limbs}}
module attributes {test.params_c11 = #ckks.params<logN = 3, limbs = [17, 97], special = [0], levels = [[1]], digits = [[1]]>} {}

// -----

// expected-error @+1 {{slots must be a power of two, at most N/2 = 4; found 8}}
module attributes {test.params_c12 = #ckks.params<logN = 3, limbs = [17], levels = [[0]], slots = 8>} {}

// -----

// expected-error @+1 {{slots must be a power of two, at most N/2 = 4; found 3}}
module attributes {test.params_c12 = #ckks.params<logN = 3, limbs = [17], levels = [[0]], slots = 3>} {}

// -----

// expected-error @+1 {{unknown secret distribution "gaussian"; known: "uniform-ternary" and "sparse-192"}}
module attributes {test.params_c13 = #ckks.params<logN = 3, limbs = [17], levels = [[0]], secret = "gaussian">} {}

// -----

// expected-error @+1 {{security must be 128, or 0 for insecure parameters; found 80}}
module attributes {test.params_c14 = #ckks.params<logN = 3, limbs = [17], levels = [[0]], security = 80>} {}

// -----

// expected-error @+1 {{unknown parameter 'chain' of #ckks.params; it has logN, limbs, special, levels, digits, slots, secret, security, ephemeral and ephemeral_special}}
module attributes {test.params = #ckks.params<logN = 3, chain = 4>} {}

// -----

// expected-error @+1 {{parameter 'logN' of #ckks.params is given twice}}
module attributes {test.params = #ckks.params<logN = 3, logN = 4>} {}

// -----

// expected-error @+1 {{dimensions must be between 1 and 2^20; found 0}}
module attributes {test.layout_c1 = #ckks.layout<shape = [0], lanes = 1, batch = 1, batched = true>} {}

// -----

// expected-error @+1 {{the padded tensor has more than 2^20 elements}}
module attributes {test.layout_c1 = #ckks.layout<shape = [1025, 1024], lanes = 1, batch = 1, batched = true>} {}

// -----

// expected-error @+1 {{lanes must be a power of two; found 30}}
module attributes {test.layout_c2 = #ckks.layout<shape = [30], lanes = 30, batch = 1, batched = true>} {}

// -----

// 5 x 3 is padded to 8 x 4.
// expected-error @+1 {{16 lanes cannot hold the tensor, which has 32 elements when padded}}
module attributes {test.layout_c3 = #ckks.layout<shape = [5, 3], lanes = 16, batch = 1, batched = true>} {}

// -----

// expected-error @+1 {{batch must be at least 1; found 0}}
module attributes {test.layout_c4 = #ckks.layout<shape = [5], lanes = 8, batch = 0, batched = true>} {}

// -----

// expected-error @+1 {{unknown parameter 'stride' of #ckks.layout; it has shape, lanes, batch and batched}}
module attributes {test.layout = #ckks.layout<shape = [5], stride = 8>} {}

// -----

// expected-error @+1 {{'batched' must be true or false}}
module attributes {test.layout = #ckks.layout<shape = [5], lanes = 8, batch = 1, batched = maybe>} {}

// -----

// expected-error @+1 {{'ckks.params' must be a #ckks.params attribute; found 3 : i64}}
module attributes {ckks.params = 3} {}

// -----

// expected-error @+1 {{'ckks.params' belongs on the module}}
func.func private @params_on_function() attributes {ckks.params = #ckks.params<logN = 3, limbs = [17], levels = [[0]]>}

// -----

// expected-error @+1 {{'ckks.slots' must be a positive i64 that is a power of two; found 3 : i64}}
module attributes {ckks.slots = 3} {}

// -----

// expected-error @+1 {{'ckks.scale_log2' must be a positive i64; found 0 : i64}}
module attributes {ckks.scale_log2 = 0} {}

// -----

// expected-error @+1 {{'ckks.scale_log2' belongs on the module}}
func.func private @scale_on_function() attributes {ckks.scale_log2 = 40}

// -----

// expected-error @+1 {{'ckks.bootstrap_plan' must be a dictionary with result_level, an integer from 0 to 1000}}
module attributes {ckks.bootstrap_plan = {input_level = 0, input_log_scale = 45, result_level = -1, result_log_scale = 40}} {}

// -----

// expected-error @+1 {{'ckks.batch' must be a positive i64; found 0 : i64}}
func.func private @batch() attributes {ckks.batch = 0}

// -----

// expected-error @+1 {{'ckks.batch' belongs on a function}}
module attributes {ckks.batch = 1} {}

// -----

// expected-error @+1 {{has unknown attribute 'ckks.sloths'; the ckks dialect defines 'ckks.params', 'ckks.slots', 'ckks.scale_log2' and 'ckks.bootstrap_plan' on modules, 'ckks.batch' on functions, 'ckks.range' on any operation}}
module attributes {ckks.sloths = 4} {}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0], [0, 1]]>} {
// expected-error @+1 {{level 2 of '!ckks.ct<level = 2, scale = 2^45>' does not exist: 'ckks.params' has levels 0 to 1}}
func.func @level_outside(%a: !ckks.ct<level = 2, scale = 2^45>) {
  return
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0], [0, 1]]>} {
func.func @limb_outside(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{limb q2 in the scale of '!ckks.ct<level = 1, scale = 2^45 * q2>' does not exist: 'ckks.params' has limbs q0 to q1}}
  %0 = ckks.adjust_scale %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45 * q2>
  return
}
}

// -----

// expected-error @+1 {{argument 0: 'ckks.range' must be two finite f64 in ascending order, as in [-8.0, 8.0]; found [8.000000e+00, -8.000000e+00]}}
func.func private @range(!ckks.ct {ckks.range = [8.0, -8.0]})

// -----

func.func @range_of_operation(%a: !ckks.ct) {
  // expected-error @+1 {{'ckks.range' must be two finite f64 in ascending order, as in [-8.0, 8.0]; found [1.000000e+00]}}
  %0 = ckks.square %a {ckks.range = [1.0]} : !ckks.ct
  return
}

// -----

// expected-error @+1 {{argument 1: 'ckks.layout' must be a #ckks.layout attribute; found 4 : i64}}
func.func private @layout(!ckks.ct, !ckks.ct {ckks.layout = 4})

// -----

// expected-error @+1 {{result 0: 'ckks.name' must be a string that is not empty; found ""}}
func.func private @name() -> (!ckks.ct {ckks.name = ""})

// -----

// expected-error @+1 {{argument 0: 'ckks.secret' takes no value; found true}}
func.func private @secret(!ckks.ct {ckks.secret = true})

// -----

// expected-error @+1 {{argument 0: 'ckks.complex' takes no value; found false}}
func.func private @complex(!ckks.ct<level = 1, scale = 2^45> {ckks.complex = false})

// -----

// expected-error @+1 {{result 0: 'ckks.complex' is for settled ciphertexts; this is '!ckks.ct'}}
func.func private @floating_complex() -> (!ckks.ct {ckks.complex})

// -----

// expected-error @+1 {{argument 0: has unknown attribute 'ckks.sceret'; the ckks dialect defines 'ckks.secret', 'ckks.name', 'ckks.layout', 'ckks.complex' and 'ckks.range' here}}
func.func private @misspelled(!ckks.ct {ckks.sceret})

// -----

// expected-error @+1 {{result 0: has unknown attribute 'ckks.secret'; the ckks dialect defines 'ckks.name', 'ckks.layout', 'ckks.complex' and 'ckks.range' here}}
func.func private @secret_result() -> (!ckks.ct {ckks.secret})

// -----

// expected-error @+1 {{unknown ephemeral secret "sparse-192"; known: "ephemeral-32"}}
module attributes {test.params_c15 = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0]], ephemeral = "sparse-192", ephemeral_special = [1]>} {}

// -----

// expected-error @+1 {{an ephemeral secret and the limbs that switching to it adds, ephemeral_special, come together}}
module attributes {test.params_c15 = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0]], ephemeral = "ephemeral-32">} {}

// -----

// expected-error @+1 {{limb 0 of ephemeral_special is special or in a level}}
module attributes {test.params_c16 = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0]], ephemeral = "ephemeral-32", ephemeral_special = [0]>} {}

// -----

// expected-error @+1 {{the product of ephemeral_special is below limb 1, which level 0 has}}
module attributes {test.params_c17 = #ckks.params<logN = 3, limbs = [17, 97, 113], levels = [[1]], ephemeral = "ephemeral-32", ephemeral_special = [0]>} {}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0], [0, 1]], slots = 2>} {
func.func @more_slots(%a: !ckks.ct<level = 1, scale = 2^45>) {
  // expected-error @+1 {{'!ckks.ct<level = 1, scale = 2^45, slots = 8>' has more slots than the ring, which has N/2 = 4}}
  %0 = ckks.view_slots %a : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 1, scale = 2^45, slots = 8>
  return
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0], [0, 1]], slots = 2>} {
// expected-error @+1 {{'!ckks.ct<level = 1, scale = 2^45, slots = 2>' has the slots of 'ckks.params', which are not written}}
func.func @own_slots(%a: !ckks.ct<level = 1, scale = 2^45, slots = 2>) {
  return
}
}
