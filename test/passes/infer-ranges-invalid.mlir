// RUN: sluice-opt --infer-ranges --split-input-file --verify-diagnostics %s

// expected-error@below {{a program has one public function; this module has none}}
module {
}

// -----

// expected-error@below {{a program has one public function; this module has several}}
module {
  func.func @first(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
    return %x : tensor<2xf64>
  }
  // expected-note@below {{a second one is here}}
  func.func @second(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
    return %x : tensor<2xf64>
  }
}

// -----

// expected-error@below {{argument 1 is not a secret static tensor of f64; make clear values constants}}
func.func @clearArgument(%x: tensor<2xf64> {ckks.secret}, %y: tensor<2xf64>) -> tensor<2xf64> {
  return %x : tensor<2xf64>
}

// -----

func.func @unsupported(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  // expected-error@below {{operation 'math.sin' is not supported on secret values; supported are arith.addf subf mulf divf negf maximumf minimumf cmpf select uitofp constant, math.exp tanh erf sqrt rsqrt absf fpowi, ckks.polynomial, linalg.dot matvec vecmat matmul reduce broadcast transpose fill, tensor.extract_slice extract from_elements splat empty expand_shape collapse_shape}}
  %0 = math.sin %x : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @singlePrecision(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf32> {
  // expected-error@below {{operation 'arith.truncf' is not supported on secret values}}
  %0 = arith.truncf %x : tensor<2xf64> to tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @dynamic(%x: tensor<4xf64> {ckks.secret}, %n: tensor<f64> {ckks.secret}) -> tensor<f64> {
  %c = arith.constant dense<1.0> : tensor<2xf32>
  // expected-error@below {{makes 'tensor<2xf32>'; secret values are f64 or static tensors of f64}}
  %0 = arith.addf %c, %c : tensor<2xf32>
  return %n : tensor<f64>
}

// -----

func.func @product(%x: tensor<2x2xf64> {ckks.secret}) -> tensor<2xf64> {
  %init = arith.constant dense<1.0> : tensor<2xf64>
  // expected-error@below {{supports only sums of secret values: the combiner is not { arith.addf }}}
  %0 = linalg.reduce {arith.mulf} ins(%x : tensor<2x2xf64>) outs(%init : tensor<2xf64>) dimensions = [1]
  return %0 : tensor<2xf64>
}

// -----

func.func @dynamicSlice(%x: tensor<4xf64> {ckks.secret}) -> tensor<2xf64> {
  %c1 = arith.constant 1 : index
  // expected-error@below {{supports only constant offsets, sizes and strides}}
  %0 = tensor.extract_slice %x[%c1] [2] [1] : tensor<4xf64> to tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @secretExponent(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %n = arith.constant dense<[2, 3]> : tensor<2xi32>
  // expected-error@below {{supports only one constant exponent of at least 1}}
  %0 = math.fpowi %x, %n : tensor<2xf64>, tensor<2xi32>
  return %0 : tensor<2xf64>
}

// -----

func.func @equality(%x: tensor<2xf64> {ckks.secret}, %y: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  // expected-error@below {{supports only > >= < <=: values with noise are never equal}}
  %0 = arith.cmpf oeq, %x, %y : tensor<2xf64>
  %1 = arith.uitofp %0 : tensor<2xi1> to tensor<2xf64>
  return %1 : tensor<2xf64>
}

// -----

func.func @clearCondition(%x: tensor<2xf64> {ckks.secret}, %y: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %condition = arith.constant dense<[true, false]> : tensor<2xi1>
  // expected-error@below {{supports only the result of arith.cmpf as its condition}}
  %0 = arith.select %condition, %x, %y : tensor<2xi1>, tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

func.func @singleTruth(%x: tensor<2xf64> {ckks.secret}) -> tensor<2xf64> {
  %c = arith.constant dense<1.0> : tensor<2xf32>
  // expected-error@below {{makes 'tensor<2xi1>'; secret values are f64 or static tensors of f64}}
  %0 = arith.cmpf ogt, %c, %c : tensor<2xf32>
  return %x : tensor<2xf64>
}
