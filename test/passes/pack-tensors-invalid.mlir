// RUN: sluice-opt --pack-tensors --split-input-file --verify-diagnostics %s

// expected-error@below {{a secret tensor takes 131072 lanes (dimensions padded to powers of two); a ciphertext holds at most 65536}}
func.func @tooLarge(%x: tensor<300x200xf64> {ckks.secret}) -> tensor<300x200xf64> {
  return %x : tensor<300x200xf64>
}

// -----

// expected-error@below {{a batch of 5000 items of 32 lanes takes 262144 slots; a ciphertext holds 65536: the largest batch is 2048}}
func.func @largeBatch(%x: tensor<30xf64> {ckks.secret}) -> tensor<30xf64> attributes {ckks.batch = 5000 : i64} {
  return %x : tensor<30xf64>
}

// -----

func.func @nonlinear(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  // expected-error@below {{operation 'math.exp' has no exact circuit; run approximate-nonlinear first}}
  %0 = math.exp %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @comparison(%x: tensor<2xf64> {ckks.secret}, %y: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  // expected-error@below {{operation 'arith.cmpf' has no exact circuit; run approximate-nonlinear first}}
  %0 = arith.cmpf ogt, %x, %y : tensor<2xf64>
  %1 = arith.select %0, %x, %y : tensor<2xi1>, tensor<2xf64>
  return %1 : tensor<2xf64>
}

// -----

func.func @unsupported(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  // expected-error@below {{operation 'math.sin' is not supported on secret values; supported are}}
  %0 = math.sin %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @secretDivisor(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %c = arith.constant dense<1.0> : tensor<2xf64>
  // expected-error@below {{division by a secret value; run approximate-nonlinear first, or multiply by a polynomial approximation of the reciprocal}}
  %0 = arith.divf %c, %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @bothSecret(%x: tensor<2xf64> {ckks.secret}, %y: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  // expected-error@below {{division by a secret value; run approximate-nonlinear first}}
  %0 = arith.divf %x, %y : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @zeroDivisor(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %c = arith.constant dense<[1.0, 0.0]> : tensor<2xf64>
  // expected-error@below {{division by a constant that has a zero}}
  %0 = arith.divf %x, %c : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @secretMatrices(%x: tensor<2x2xf64> {ckks.secret}, %y: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@below {{operation 'linalg.matvec' needs one clear operand; of two secret ones only linalg.dot is supported}}
  %0 = linalg.matvec ins(%x, %y : tensor<2x2xf64>, tensor<2xf64>) outs(%zero : tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @clearResult(%x: tensor<2xf64> {ckks.secret}) -> (tensor<2xf64>, tensor<2xf64>) {
  %c = arith.constant dense<1.0> : tensor<2xf64>
  // expected-error@below {{result 1 does not depend on a secret; compute it outside the program}}
  return %x, %c : tensor<2xf64>, tensor<2xf64>
}

// -----

func.func @clearOperation(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %c = arith.constant dense<1.0> : tensor<2xf64>
  // expected-error@below {{operation 'arith.addf' has only clear operands; compute it before and use a constant}}
  %0 = arith.addf %c, %c : tensor<2xf64>
  %1 = arith.mulf %x, %0 : tensor<2xf64>
  return %1 : tensor<2xf64>
}

// -----

// What tensor.empty leaves is no constant.
func.func @emptyOperand(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %e = tensor.empty() : tensor<2xf64>
  // expected-error@below {{has a clear operand that is not a constant}}
  %0 = arith.addf %x, %e : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @emptyElement(%x: f64 {ckks.secret}, %y: tensor<f64> {ckks.secret}) -> tensor<2xf64> {
  %e = tensor.empty() : tensor<f64>
  %0 = tensor.extract %y[] : tensor<f64>
  // expected-error@below {{operation 'tensor.extract' has only clear operands; compute it before and use a constant}}
  %1 = tensor.extract %e[] : tensor<f64>
  %2 = tensor.from_elements %0, %1 : tensor<2xf64>
  return %2 : tensor<2xf64>
}

// -----

func.func @emptyMatrix(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %zero = arith.constant dense<0.0> : tensor<2xf64>
  %e = tensor.empty() : tensor<2x2xf64>
  // expected-error@below {{has a clear operand that is not a constant, or no secret one}}
  %0 = linalg.matvec ins(%e, %x : tensor<2x2xf64>, tensor<2xf64>) outs(%zero : tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @clearProduct(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %m = arith.constant dense<1.0> : tensor<2x2xf64>
  %v = arith.constant dense<1.0> : tensor<2xf64>
  // expected-error@below {{has a clear operand that is not a constant, or no secret one}}
  %0 = linalg.matvec ins(%m, %v : tensor<2x2xf64>, tensor<2xf64>) outs(%x : tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @clearSum(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %c = arith.constant dense<1.0> : tensor<2x3xf64>
  // expected-error@below {{adds a secret destination to a clear sum; use arith.addf}}
  %0 = linalg.reduce {arith.addf} ins(%c : tensor<2x3xf64>) outs(%x : tensor<2xf64>) dimensions = [1]
  return %0 : tensor<2xf64>
}

// -----

func.func @variableIndex(%x: tensor<4xf64> {ckks.secret}, %i: index) -> f64 {
  // expected-error@below {{'tensor.extract' op supports only constant indices}}
  %0 = tensor.extract %x[%i] : tensor<4xf64>
  return %0 : f64
}
