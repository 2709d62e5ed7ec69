// RUN: sluice-opt --ckks-to-rns --split-input-file --verify-diagnostics %s

// expected-error @below {{the module has no 'ckks.params'; run select-parameters first}}
module {
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
// expected-error @below {{the module has no public function}}
module attributes {ckks.params = #params} {
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  // expected-note @below {{the first is here}}
  func.func @first(%a: !ckks.ct<level = 0, scale = 2^5>) {
    return
  }
  // expected-error @below {{a program has one public function; this is a second one}}
  func.func @second(%a: !ckks.ct<level = 0, scale = 2^5>) {
    return
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  // expected-error @below {{arguments and results must be settled ciphertexts; found '!ckks.ct'; run settle-scales first}}
  func.func @floating(%a: !ckks.ct) -> !ckks.ct {
    return %a : !ckks.ct
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97, 193], special = [2], levels = [[0], [0, 1]], digits = [[0], [1]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @polynomial(%a: !ckks.ct<level = 1, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^5> {
    // expected-error @below {{is expanded by evaluate-polynomials, which must run first}}
    %0 = ckks.polynomial %a {basis = monomial, coefficients = dense<[0.0, 1.0]> : tensor<2xf64>} : !ckks.ct<level = 1, scale = 2^5> -> !ckks.ct<level = 0, scale = 2^5>
    return %0 : !ckks.ct<level = 0, scale = 2^5>
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @transform(%a: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^10> {
    // expected-error @below {{is expanded by lower-linear-transforms, which must run first}}
    %0 = ckks.linear_transform %a {indices = [0], diagonals = dense<[[1.0]]> : tensor<1x1xf64>, scale = #ckks.scale<2^5>}
      : !ckks.ct<level = 0, scale = 2^5> -> !ckks.ct<level = 0, scale = 2^10>
    return %0 : !ckks.ct<level = 0, scale = 2^10>
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17], levels = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @no_special_limbs(%a: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^5> {
    // expected-error @below {{switches keys, which needs special limbs in 'ckks.params'}}
    %0 = ckks.rotate %a {by = 1} : !ckks.ct<level = 0, scale = 2^5>
    return %0 : !ckks.ct<level = 0, scale = 2^5>
  }
}

// -----

// A warning, not an error: what the user wrote has no effect.
#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @vanishes(%a: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^5> {
    // expected-warning @below {{the value 9.765625e-04 vanishes at scale 2^5}}
    %0 = ckks.add_scalar %a {value = 0.0009765625} : !ckks.ct<level = 0, scale = 2^5>
    return %0 : !ckks.ct<level = 0, scale = 2^5>
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @no_ciphertext(%a: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^5> {
    // expected-error @below {{makes 'f64'; a settled ciphertext is needed}}
    %0 = arith.constant 1.0 : f64
    return %a : !ckks.ct<level = 0, scale = 2^5>
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  func.func @ratio(%a: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^5000> {
    // expected-error @below {{the ratio of the scales, 2^4995, is beyond 2^4096}}
    %0 = ckks.adjust_scale %a : !ckks.ct<level = 0, scale = 2^5> -> !ckks.ct<level = 0, scale = 2^5000>
    return %0 : !ckks.ct<level = 0, scale = 2^5000>
  }
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97], levels = [[0], [0, 1]], security = 0>} {
func.func @exponents(%x: !ckks.ct<level = 1, scale = 2^5>) -> !ckks.ct<level = 1, scale = 2^4000005 * q1^-600000> {
  // expected-error @+1 {{has a plaintext at scale 2^4000000 * q1^-600000, whose exponents are beyond 2^20}}
  %y = ckks.mul_scalar %x {value = 0.5, scale = #ckks.scale<2^4000000 * q1^-600000>}
    : !ckks.ct<level = 1, scale = 2^5> -> !ckks.ct<level = 1, scale = 2^4000005 * q1^-600000>
  return %y : !ckks.ct<level = 1, scale = 2^4000005 * q1^-600000>
}
}

// -----

module attributes {ckks.params = #ckks.params<logN = 3, limbs = [17, 97, 113], special = [1], levels = [[0]], digits = [[0]],
                   security = 0, ephemeral = "ephemeral-32", ephemeral_special = [2]>} {
  // expected-error @below {{arguments and results must be under the main secret, the only one that the client keeps; found '!ckks.ct<level = 0, scale = 2^5, secret = ephemeral>'}}
  func.func @given_away(%a: !ckks.ct<level = 0, scale = 2^5>) -> !ckks.ct<level = 0, scale = 2^5, secret = ephemeral> {
    %0 = ckks.switch_key %a : !ckks.ct<level = 0, scale = 2^5> -> !ckks.ct<level = 0, scale = 2^5, secret = ephemeral>
    return %0 : !ckks.ct<level = 0, scale = 2^5, secret = ephemeral>
  }
}

// -----

#params = #ckks.params<logN = 3, limbs = [17, 97], special = [1], levels = [[0]], digits = [[0]], slots = 4, security = 0>
module attributes {ckks.params = #params} {
  // expected-error @below {{arguments and results must have the slots of 'ckks.params'; found '!ckks.ct<level = 0, scale = 2^5, slots = 2>'; use ckks.view_slots}}
  func.func @few_slots(%a: !ckks.ct<level = 0, scale = 2^5, slots = 2>) -> !ckks.ct<level = 0, scale = 2^5> {
    %0 = ckks.view_slots %a : !ckks.ct<level = 0, scale = 2^5, slots = 2> -> !ckks.ct<level = 0, scale = 2^5>
    return %0 : !ckks.ct<level = 0, scale = 2^5>
  }
}

// -----

#params = #ckks.params<logN = 2, limbs = [17, 41, 73, 89, 97, 113], levels = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]], security = 0>
module attributes {ckks.params = #params} {
  func.func @bootstrap(%a: !ckks.ct<level = 0, scale = 2^2>) -> !ckks.ct<level = 1, scale = 2^2> {
    // expected-error @below {{is expanded by expand-bootstraps, which must run first}}
    %0 = ckks.bootstrap %a {range = 2.0, message_bound = 0.125, degree = 2, double_angles = 0,
                            coefficients_to_slots = [1], slots_to_coefficients = [1], real}
         : !ckks.ct<level = 0, scale = 2^2> -> !ckks.ct<level = 1, scale = 2^2>
    return %0 : !ckks.ct<level = 1, scale = 2^2>
  }
}
