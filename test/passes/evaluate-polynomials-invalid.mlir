// RUN: sluice-opt --evaluate-polynomials --split-input-file --verify-diagnostics %s

func.func @floating(%x: !ckks.ct) -> !ckks.ct {
  // expected-error @below {{has no level and scale yet; run settle-scales first}}
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[0.0, 2.0]> : tensor<2xf64>} : !ckks.ct
  return %y : !ckks.ct
}

// -----

// expected-error @below {{the module has no 'ckks.params'}}
module {
func.func @no_parameters(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[0.0, 2.0]> : tensor<2xf64>}
       : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937, 35184372121601], levels = [[0], [0, 1]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
func.func @interval(%x: !ckks.ct<level = 1, scale = 2^45>) -> !ckks.ct<level = 0, scale = 2^45> {
  // expected-error @below {{the interval [-3, 3] must have a power of two as half-width; settle-scales brings others to [-1, 1], which costs a level}}
  %y = ckks.polynomial %x {basis = chebyshev, coefficients = dense<[0.0, 2.0]> : tensor<2xf64>, interval = [-3.0, 3.0]}
       : !ckks.ct<level = 1, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}
}

// -----

#params = #ckks.params<logN = 13, limbs = [1125899904679937, 35184372121601], levels = [[0], [0, 1]], slots = 4096, secret = "uniform-ternary", security = 0>
module attributes {ckks.params = #params} {
func.func @scale(%x: !ckks.ct<level = 1, scale = 2^85>) -> !ckks.ct<level = 0, scale = 2^45> {
  // expected-error @below {{a coefficient would be rounded at scale 2^5; the scale of the operand, 2^85 as a variable in [-1, 1], must be near the limbs of the levels}}
  %y = ckks.polynomial %x {basis = monomial, coefficients = dense<[0.0, 2.0]> : tensor<2xf64>}
       : !ckks.ct<level = 1, scale = 2^85> -> !ckks.ct<level = 0, scale = 2^45>
  return %y : !ckks.ct<level = 0, scale = 2^45>
}
}
