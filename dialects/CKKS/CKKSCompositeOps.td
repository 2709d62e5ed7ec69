//===- CKKSCompositeOps.td - operations that passes write out ------------------*- tablegen -*-===//
//
// See CKKSOps.td, which includes this.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_COMPOSITEOPS_TD
#define SLUICE_DIALECTS_CKKS_COMPOSITEOPS_TD

include "dialects/CKKS/CKKSOpBase.td"

def CKKS_LinearTransformOp : CKKS_PlainOp<"linear_transform",
    (ins DenseI64ArrayAttr:$indices, CKKS_Numbers:$diagonals, OptionalAttr<CKKS_ScaleAttr>:$scale,
         OptionalAttr<CKKS_DftMatrixAttr>:$generator),
    "`indices` `=` $indices `,` `diagonals` `=` $diagonals (`,` `scale` `=` qualified($scale)^)?"
    "(`,` `generator` `=` qualified($generator)^)?"> {
  let summary = "product with a clear matrix, given by its non-zero diagonals";
  let description = [{
    With K diagonals of M entries each: `result = sum over k of stretch(diagonals[k]) *
    rotate(input, indices[k] * slots / M)`, `slots` and the stretch as in `ckks.add_plain`. Entries may be complex,
    as `(re, im)`. `lower-linear-transforms` expands it. Settled: the diagonals are encoded at `scale`, and the
    result has the product of the scales. `generator` says what gives the same diagonals, for the artifact to hold in
    their place; who writes the artifact checks that they are the same.

    Constraints: (C1) `diagonals` has shape K x M, K >= 1 the number of indices, (C2) M a power of
    two, (C3) at most the slots of the operand where its type or `ckks.params` gives them, (C4)
    finite; (C5) indices
    are in [0, M) and distinct; (C6) the operand has size 2; (C7) `scale` is given if and only if
    the operand is settled; (C8) the result is floating with its operand, otherwise it has the
    operand's level and size, and the product of the scales; (C9) complex entries are for settled
    operands; (C10) the operand is under the main secret; (C11) the entries are complex and the matrix has size M where
    there is a `generator`.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.linear_transform %a {indices = [0, 1], diagonals = dense<[[1.0, 4.0], [2.0, 3.0]]> : tensor<2x2xf64>}
         : !ckks.ct
    ```
  }];
}

def CKKS_PolynomialOp : CKKS_Op<"polynomial"> {
  let summary = "a polynomial with clear coefficients, of every slot";
  let description = [{
    `result[k] = sum over i of coefficients[i] * B_i(input[k])`, B_i the i-th basis polynomial: in
    basis `monomial` the power x^i; in basis `chebyshev` T_i(t) with `t = (2x - a - b) / (b - a)` on
    `interval = [a, b]`. Coefficients may be complex, as `(re, im)`: no more levels, no more products
    of ciphertexts. Also on `f64` and its tensors (the traced stage and the twin), element by element.
    `evaluate-polynomials` expands it: depth-optimal, to exactly the result's level and scale.

    Constraints: (C1) `coefficients` has rank 1, at least one element, all finite; (C2) `interval`
    is two finite numbers in ascending order; (C3) it is given in basis `chebyshev`; (C4) operand
    and result are both clear of the same type, both floating, or both settled; (C5) settled, both
    have size 2 and as many slots; (C6) settled, with d the degree, the result stands exactly m =
    ceil(log2(d + 1)) levels below the operand; (C7) `coefficients` are complex on ciphertexts only;
    (C8) an operand that is settled is under the main secret.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.polynomial %a {basis = chebyshev, coefficients = dense<[0.5, 1.0, 0.0, -0.25]> : tensor<4xf64>,
                             interval = [-8.0, 8.0]}
         : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
    ```
  }];
  let arguments = (ins AnyTypeOf<[CKKS_Ct, F64, RankedTensorOf<[F64]>]>:$input,
                   CKKS_BasisAttr:$basis, CKKS_Numbers:$coefficients, OptionalAttr<F64ArrayAttr>:$interval);
  let results = (outs AnyTypeOf<[CKKS_Ct, F64, RankedTensorOf<[F64]>]>:$result);
  let assemblyFormat = [{
    $input ` ` `{` `basis` `=` `` $basis `,` `coefficients` `=` $coefficients
        (`,` `interval` `=` $interval^)? `}` attr-dict
    `:` custom<UnaryTypes>(type($input), type($result))
  }];
  let builders = [
    // `interval` as [low, high].
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input, "::sluice::ckks::Basis":$basis,
                   "::llvm::ArrayRef<double>":$coefficients,
                   "::std::optional<::std::pair<double, double>>":$interval)>,
    // Of complex elements only where one of the coefficients is not real.
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input, "::sluice::ckks::Basis":$basis,
                   "::llvm::ArrayRef<::std::complex<double>>":$coefficients,
                   "::std::optional<::std::pair<double, double>>":$interval)>
  ];
  let extraClassDeclaration = [{
    /// [low, high], where given.
    ::std::optional<::std::pair<double, double>> getIntervalBounds();
    bool isComplex();
    ::llvm::SmallVector<::std::complex<double>> getComplexCoefficients();
    int64_t getDegree() { return getCoefficients().getNumElements() - 1; }
    /// Levels that an evaluation of this degree uses: ceil(log2(degree + 1)).
    int64_t getDepth() { return ::llvm::Log2_64_Ceil(getDegree() + 1); }
  }];
}

def CKKS_RefreshOp : CKKS_SameTypeOp<"refresh"> {
  let summary = "a bootstrap whose plan is to be chosen";
  let description = [{
    `result = input`, floating, with levels to compute on again. `select-parameters` chooses one plan for all of a module
    and `settle-scales` makes each a `ckks.bootstrap` with it: the operand goes down to the level and the scale at which
    that begins. Slots are at most 1 in absolute value.

    Constraints: (C1) the result has the operand's type; (C2) the operand is floating.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.refresh %a : !ckks.ct
    ```
  }];
}

def CKKS_BootstrapOp : CKKS_Op<"bootstrap"> {
  let summary = "the same values at a higher level";
  let description = [{
    `result = input`, with a modulus to compute on. `expand-bootstraps` writes it as ModRaise,
    CoeffsToSlots, EvalMod and SlotsToCoeffs, from the top level down (docs/mathematics.md, sections
    7 to 9). The attributes are its plan:

    - `range`: EvalMod is right while ModRaise adds at most that many times Q.
    - `message_bound`: and while what it takes the remainder of, without those, is at most that part
      of Q: the coefficients of the operand, or in the other order the parts of its slots times its
      scale.
    - `degree`, `double_angles`, `arcsine_degree`: of EvalMod's series, how often its angle is
      doubled, and the degree of the arcsine, 1 for none.
    - `nodes`: the series is that of the `chebyshev` polynomials on the whole interval, or right near
      the integers only, `han_ki`, with a smaller degree where `range` is small.
    - `coefficients_to_slots`, `slots_to_coefficients`: how many factors each of their products has,
      the one that is applied first being first.
    - `order`: `mod_raise_first`, or `slots_to_coefficients_first`: SlotsToCoeffs stands before
      ModRaise, so its levels are the operand's and not the result's, and EvalMod works on the slots
      themselves.
    - `real`: the slots are real. EvalMod then has half of the work.
    - `iterations`, `log_gain`: in r rounds, round i bootstraps what the earlier ones have left of the
      operand, rounded to (r - i) log_gain bits less than its scale has. `message_bound` is for every
      round: each has to leave at most 2^-log_gain of what it had.

    With fewer slots than N/2 both halves of the coefficients, the real and the imaginary parts, are
    one vector in EvalMod if SlotsToCoeffs can take them apart behind it.

    Constraints: (C1) operand and result are settled, of size 2; (C2) `range` >= 1, 0 <
    `message_bound` < 1/4; (C3) `degree` is at least 2, and 2 `range` with nodes `han_ki`, (C4) `double_angles` at most 16, (C5)
    `arcsine_degree` odd, at most 63; (C6) operand and result have as many slots, and where the module
    has `ckks.params`, each list of groups has positive numbers whose sum is log2 of those; (C7) the
    result stands as many levels below the top as the plan has behind ModRaise; (C8) the operand
    stands below the result; (C9) in the order `slots_to_coefficients_first` it stands as many levels
    above 0 as SlotsToCoeffs has; (C10) `iterations` is from 1 to 8, and `log_gain` from 1 to 100 comes
    with more than one; then (C11) the result has the operand's scale, (C12) the operand's level is
    above those at which a round begins by at least (r - 1) log_gain bits (checked where the module has
    `ckks.params`), and (C13) the result's level has all of its limbs, or 2^64 times its modulus.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.bootstrap %a {range = 12.0, message_bound = 0.0078125, degree = 30, double_angles = 3,
                            coefficients_to_slots = [2, 1], slots_to_coefficients = [3]}
         : !ckks.ct<level = 0, scale = 2^35> -> !ckks.ct<level = 2, scale = 2^35>
    ```
  }];
  let arguments = (ins CKKS_Ct:$input, F64Attr:$range, F64Attr:$message_bound, CKKS_Int64:$degree,
                   CKKS_Int64:$double_angles, DefaultValuedAttr<CKKS_Int64, "1">:$arcsine_degree,
                   DefaultValuedAttr<CKKS_SineNodesAttr, "::sluice::ckks::SineNodes::Chebyshev">:$nodes,
                   DenseI64ArrayAttr:$coefficients_to_slots, DenseI64ArrayAttr:$slots_to_coefficients,
                   DefaultValuedAttr<CKKS_BootstrapOrderAttr, "::sluice::ckks::BootstrapOrder::ModRaiseFirst">:$order,
                   UnitAttr:$real, DefaultValuedAttr<CKKS_Int64, "1">:$iterations,
                   DefaultValuedAttr<CKKS_Int64, "0">:$log_gain);
  let results = (outs CKKS_Ct:$result);
  let assemblyFormat = [{
    $input ` ` `{` `range` `=` custom<Number>($range) `,` `message_bound` `=` custom<Number>($message_bound) `,`
        `degree` `=` $degree `,` `double_angles` `=` $double_angles `,`
        `coefficients_to_slots` `=` $coefficients_to_slots `,`
        `slots_to_coefficients` `=` $slots_to_coefficients
        `` custom<BootstrapForm>($arcsine_degree, $nodes, $order, $real, $iterations, $log_gain) `` `}` attr-dict
    `:` custom<UnaryTypes>(type($input), type($result))
  }];
  let extraClassDeclaration = [{
    /// Levels that SlotsToCoeffs uses before ModRaise; 0 in the other order.
    int64_t getDepthBefore();
    /// Levels of the expansion behind ModRaise.
    int64_t getDepth();
    /// The level at which each round begins: the operand's where there is one round.
    int64_t getRoundLevel() {
      return getIterations() > 1 ? getDepthBefore() : getInput().getType().getLevel();
    }
  }];
}

#endif // SLUICE_DIALECTS_CKKS_COMPOSITEOPS_TD
