//===- RNSOps.td - operations of the rns dialect -------------------------------*- tablegen -*-===//
//
// The description of an operation is its specification, with constraints C1, C2, ... that the
// verifiers in RNSOps.cpp cite; the tests of test/dialects/rns/invalid.mlir are named after them (@ntt_c1).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_RNS_OPS_TD
#define SLUICE_DIALECTS_RNS_OPS_TD

include "dialects/RNS/RNSKeyOps.td"
include "dialects/RNS/RNSOpBase.td"

//===------------------------------------------------------------------------------------------===//
// Forms
//===------------------------------------------------------------------------------------------===//

class RNS_TransformOp<string mnemonic, string target> : RNS_Op<mnemonic> {
  let arguments = (ins RNS_Poly:$input);
  let results = (outs RNS_Poly:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` qualified(type($result))";
  let builders = [OpBuilder<(ins "::mlir::Value":$input), [{
    build($_builder, $_state, ::llvm::cast<PolyType>(input.getType()).withForm(Form::}] # target # [{), input);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def RNS_NttOp : RNS_TransformOp<"ntt", "Eval"> {
  let summary = "coefficient form to evaluation form";
  let description = [{
    The negacyclic number-theoretic transform of every limb; order and roots as in
    `docs/formats.md`.

    Constraints: (C1) the operand is in form `coeff`; (C2) the result has its limbs, in form `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.ntt %a : !rns.poly<[0, 1], coeff> -> !rns.poly<[0, 1], eval>
    ```
  }];
}

def RNS_InttOp : RNS_TransformOp<"intt", "Coeff"> {
  let summary = "evaluation form to coefficient form";
  let description = [{
    The inverse of `rns.ntt`.

    Constraints: (C1) the operand is in form `eval`; (C2) the result has its limbs, in form `coeff`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.intt %a : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], coeff>
    ```
  }];
}

// Half a transform: no folder, since the two are not each other's inverse.
class RNS_RowsOp<string mnemonic, string target> : RNS_Op<mnemonic> {
  let arguments = (ins RNS_Poly:$input);
  let results = (outs RNS_Poly:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` qualified(type($result))";
  let builders = [OpBuilder<(ins "::mlir::Value":$input), [{
    build($_builder, $_state, ::llvm::cast<PolyType>(input.getType()).withForm(Form::}] # target # [{), input);
  }]>];
  let hasVerifier = 1;
}

def RNS_NttRowsOp : RNS_RowsOp<"ntt_rows", "Eval"> {
  let summary = "the end of an NTT that a base conversion began";
  let description = [{
    With the operand as `rns.base_convert` leaves it: the values of that polynomial. A limb as a
    matrix of rows: the stages within each row, so that it works block by block.

    Constraints: (C1) the operand is in form `half_ntt`; (C2) the result has its limbs, in form
    `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.ntt_rows %a : !rns.poly<[0, 1], half_ntt> -> !rns.poly<[0, 1], eval>
    ```
  }];
}

def RNS_InttRowsOp : RNS_RowsOp<"intt_rows", "HalfIntt"> {
  let summary = "the beginning of an inverse NTT that a base conversion ends";
  let description = [{
    The stages within each row, as `rns.base_convert` takes them.

    Constraints: (C1) the operand is in form `eval`; (C2) the result has its limbs, in form
    `half_intt`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.intt_rows %a : !rns.poly<[0, 1], eval> -> !rns.poly<[0, 1], half_intt>
    ```
  }];
}

//===------------------------------------------------------------------------------------------===//
// Arithmetic, limb by limb
//===------------------------------------------------------------------------------------------===//

def RNS_AddOp : RNS_AnyFormOp<"add", (ins RNS_Poly:$lhs, RNS_Poly:$rhs), "$lhs `,` $rhs", [Commutative]> {
  let summary = "sum";
  let description = [{
    `result = lhs + rhs`, in either form. Operands and result have one type.

    Constraints: (C1) the form is `coeff` or `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %c = rns.add %a, %b : !rns.poly<[0, 1], eval>
    ```
  }];
}

def RNS_SubOp : RNS_AnyFormOp<"sub", (ins RNS_Poly:$lhs, RNS_Poly:$rhs), "$lhs `,` $rhs"> {
  let summary = "difference";
  let description = [{
    `result = lhs - rhs`, in either form. Operands and result have one type.

    Constraints: (C1) the form is `coeff` or `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %c = rns.sub %a, %b : !rns.poly<[0, 1], eval>
    ```
  }];
}

def RNS_NegateOp : RNS_AnyFormOp<"negate", (ins RNS_Poly:$input), "$input"> {
  let summary = "negation";
  let description = [{
    `result = -input`, in either form. Operand and result have one type.

    Constraints: (C1) the form is `coeff` or `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.negate %a : !rns.poly<[0, 1], coeff>
    ```
  }];
  let hasFolder = 1;
}

def RNS_MulOp : RNS_EvalPointwiseOp<"mul", (ins RNS_Poly:$lhs, RNS_Poly:$rhs), "$lhs `,` $rhs", [Commutative]> {
  let summary = "product of polynomials";
  let description = [{
    `result = lhs * rhs`. Operands and result have one type.

    Constraints: (C1) the form is `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %c = rns.mul %a, %b : !rns.poly<[0, 1], eval>
    ```
  }];
}

def RNS_MacOp : RNS_EvalPointwiseOp<"mac", (ins RNS_Poly:$acc, RNS_Poly:$lhs, RNS_Poly:$rhs),
                                    "$acc `,` $lhs `,` $rhs"> {
  let summary = "multiply and accumulate";
  let description = [{
    `result = acc + lhs * rhs`. Operands and result have one type.

    Constraints: (C1) the form is `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %d = rns.mac %acc, %a, %b : !rns.poly<[0, 1], eval>
    ```
  }];
}

def RNS_WeightedSumOp : RNS_Op<"weighted_sum", [SameOperandsAndResultType, AttrSizedOperandSegments]> {
  let summary = "two sums of products with the same constants";
  let description = [{
    `(sum0, sum1) = (acc0, acc1) + sum over j of weights_j * (values0, values1)_j`. Operands and results have one type.

    Constraints: (C1) the form is `eval`; (C2) there is a weight for each value, at least one.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %s, %t = rns.weighted_sum %b, %a plus [%k, %l] times [%b1, %b2] and [%a1, %a2] : !rns.poly<[0, 1], eval>
    ```
  }];
  let arguments = (ins RNS_Poly:$acc0, RNS_Poly:$acc1, Variadic<RNS_Poly>:$weights, Variadic<RNS_Poly>:$values0,
                   Variadic<RNS_Poly>:$values1);
  let results = (outs RNS_Poly:$sum0, RNS_Poly:$sum1);
  let assemblyFormat = [{
    $acc0 `,` $acc1 `plus` ` ` `[` $weights `]` `times` ` ` `[` $values0 `]` `and` ` ` `[` $values1 `]` attr-dict
    `:` qualified(type($sum0))
  }];
  let hasVerifier = 1;
}

def RNS_MulScalarOp : RNS_EvalPointwiseOp<"mul_scalar", (ins RNS_Poly:$input, DenseI64ArrayAttr:$scalars),
                                          "$input ` ` `{` `scalars` `=` $scalars `}`"> {
  let summary = "product with an integer, given by its residues";
  let description = [{
    Limb i of `result` is limb i of `input` times `scalars[i]`, in either form. Operand and result
    have one type.

    Constraints: (C1) one scalar per limb; (C2) scalars are not negative and, where the module has
    `rns.ring`, below their prime; (C3) the form is `coeff` or `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.mul_scalar %a {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
    ```
  }];
  let hasFolder = 1;
}

def RNS_AddScalarOp : RNS_EvalPointwiseOp<"add_scalar", (ins RNS_Poly:$input, DenseI64ArrayAttr:$scalars),
                                          "$input ` ` `{` `scalars` `=` $scalars `}`"> {
  let summary = "sum with an integer, given by its residues";
  let description = [{
    Limb i of `result` is limb i of `input` plus `scalars[i]` at every position: the constant
    polynomial, in evaluation form. Operand and result have one type.

    Constraints: (C1) the form is `eval`; (C2) one scalar per limb; (C3) scalars are not negative
    and, where the module has `rns.ring`, below their prime.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.add_scalar %a {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
    ```
  }];
  let hasFolder = 1;
}

def RNS_SubMulScalarOp : RNS_EvalPointwiseOp<"sub_mul_scalar",
    (ins RNS_Poly:$lhs, RNS_Poly:$rhs, DenseI64ArrayAttr:$scalars), "$lhs `,` $rhs ` ` `{` `scalars` `=` $scalars `}`"> {
  let summary = "product of a difference with an integer: the tail of every division";
  let description = [{
    Limb i of `result` is `(lhs - rhs) * scalars[i]`, in either form. Operands and result have one
    type.

    Constraints: (C1) one scalar per limb; (C2) scalars are not negative and, where the module has
    `rns.ring`, below their prime; (C3) the form is `coeff` or `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %c = rns.sub_mul_scalar %a, %b {scalars = [3, 5]} : !rns.poly<[0, 1], eval>
    ```
  }];
}

def RNS_AutomorphismOp : RNS_Op<"automorphism", [SameOperandsAndResultType]> {
  let summary = "the automorphism X -> X^element";
  let description = [{
    Permutes the values of each limb. A rotation to the left by k slots is element 5^k mod 2N,
    conjugation 2N - 1. Digits are permuted one by one: sigma commutes with `rns.decompose`, which is
    what hoisting uses.

    Constraints: (C1) a polynomial is in form `eval`, digits are abstract; (C2) `element` is odd and
    positive; (C3) below 2N where the module has `rns.ring`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.automorphism %a {element = 5} : !rns.poly<[0, 1], eval>
    ```
  }];
  let arguments = (ins AnyTypeOf<[RNS_Poly, RNS_Digits]>:$input, RNS_Int64:$element);
  let results = (outs AnyTypeOf<[RNS_Poly, RNS_Digits]>:$result);
  let assemblyFormat = "$input ` ` `{` `element` `=` $element `}` attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===------------------------------------------------------------------------------------------===//
// Lists of limbs: free views
//===------------------------------------------------------------------------------------------===//

def RNS_DropOp : RNS_BaseChangeOp<"drop"> {
  let summary = "some limbs of a polynomial";
  let description = [{
    Selects the limbs that the result names, in its order. A view: no residue moves.

    Constraints: (C1) the limbs of the result are among the operand's; (C2) the form stays.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.drop %a : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[2, 0], eval>
    ```
  }];
  let builders = [
    // The operand's form over `limbs`.
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$limbs), [{
      build($_builder, $_state, ::llvm::cast<PolyType>(input.getType()).withLimbs(limbs), input);
    }]>
  ];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def RNS_ConcatOp : RNS_Op<"concat"> {
  let summary = "the limbs of several polynomials as one";
  let description = [{
    The limbs of the operands one after the other. A view: no residue moves.

    Constraints: (C1) there is an operand; (C2) the forms agree; (C3) the result has the operands'
    limbs in order, and their form.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %c = rns.concat %a, %b : !rns.poly<[0, 1], eval>, !rns.poly<[3], eval> -> !rns.poly<[0, 1, 3], eval>
    ```
  }];
  let arguments = (ins Variadic<RNS_Poly>:$inputs);
  let results = (outs RNS_Poly:$result);
  let assemblyFormat = "$inputs attr-dict `:` qualified(type($inputs)) `->` qualified(type($result))";
  let builders = [
    // The result type is that of C3.
    OpBuilder<(ins "::mlir::ValueRange":$inputs)>
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===------------------------------------------------------------------------------------------===//
// Changes of base
//===------------------------------------------------------------------------------------------===//

def RNS_BaseConvertOp : RNS_BaseChangeOp<"base_convert"> {
  let summary = "centred base conversion";
  let description = [{
    With D the product of the operand's limbs: the value in (-D/2, D/2] that the operand stands for,
    modulo each limb of the result. Exact, by the shared rounding rule. Source: docs/mathematics.md 2.1.
    Between half forms it also ends the inverse NTT of the operand and begins the NTT of the result.

    Constraints: (C1) both forms are `coeff`, or the operand's is `half_intt` and the result's
    `half_ntt`; (C2) no limb is on both sides.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.base_convert %a : !rns.poly<[0, 1], coeff> -> !rns.poly<[2, 3], coeff>
    ```
  }];
}

def RNS_RescaleOp : RNS_BaseChangeOp<"rescale"> {
  let summary = "rational division by limbs";
  let description = [{
    From limb set A to limb set B: round(b * input / a) with a = prod(A \ B), b = prod(B \ A), the
    value centred. Source: docs/mathematics.md 16.3. `expand-base-changes` lowers it.

    Constraints: (C1) the form stays; (C2) some limb is dropped; (C3) the form is `coeff` or `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.rescale %a : !rns.poly<[0, 1, 2], eval> -> !rns.poly<[0, 3], eval>
    ```
  }];
}

def RNS_ModDownOp : RNS_BaseChangeOp<"mod_down", (ins DenseI64ArrayAttr:$by), "` ` `{` `by` `=` $by `}`"> {
  let summary = "division by P after a key switch";
  let description = [{
    round(input / P), P the product of the limbs `by`. `expand-base-changes` lowers it.

    Constraints: (C1) the limbs of `by` are distinct limbs of the operand, at least one; (C2) the
    result has the operand's other limbs in order, and its form; (C3) which is `coeff` or `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b = rns.mod_down %a {by = [3]} : !rns.poly<[0, 1, 3], eval> -> !rns.poly<[0, 1], eval>
    ```
  }];
  let builders = [
    // The result type is that of C2.
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$by)>
  ];
}

//===------------------------------------------------------------------------------------------===//
// Loops over limbs
//===------------------------------------------------------------------------------------------===//

def RNS_LimbKernelOp : RNS_Op<"limb_kernel", [SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "limb-wise operations, done limb by limb";
  let description = [{
    Means what its body means, on whole polynomials. Since every operation of the body is limb-wise, the body may run for one limb after
    the other, or for several on different threads; values that it does not yield then need no more room than one limb. If no operation
    is a transform, it may run block by block: an automorphism takes blocks to blocks. Constants and keys are used from outside. `fuse-limb-loops` makes it,
    `rns-to-runtime` turns it into a function that `parallel_for` or `parallel_for_blocks` calls.

    Constraints: (C1) operands and results have the same limbs; (C2) the body's arguments have the operands' types, (C3) and what it yields
    has the results' types; (C4) the body's operations are limb-wise and (C5) over those limbs; (C6) what is yielded is
    computed in the body, each value once; (C7) half forms are yielded.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %c = rns.limb_kernel %a, %b : (!rns.poly<[0, 1], eval>, !rns.poly<[0, 1], eval>) -> !rns.poly<[0, 1], eval> {
    ^bb0(%x: !rns.poly<[0, 1], eval>, %y: !rns.poly<[0, 1], eval>):
      %p = rns.mul %x, %y : !rns.poly<[0, 1], eval>
      %s = rns.add %p, %x : !rns.poly<[0, 1], eval>
      rns.yield %s : !rns.poly<[0, 1], eval>
    }
    ```
  }];
  let arguments = (ins Variadic<RNS_Poly>:$inputs);
  let results = (outs Variadic<RNS_Poly>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$inputs attr-dict `:` functional-type($inputs, $results) $body";
  let hasVerifier = 1;
}

def RNS_YieldOp : RNS_Op<"yield", [Terminator, ParentOneOf<["LimbKernelOp"]>]> {
  let summary = "the results of a limb_kernel";
  let description = [{
    Ends the body of an `rns.limb_kernel`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
      rns.yield %s : !rns.poly<[0, 1], eval>
    ```
  }];
  let arguments = (ins Variadic<RNS_Poly>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` qualified(type($values)))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

//===------------------------------------------------------------------------------------------===//
// Constants
//===------------------------------------------------------------------------------------------===//

def RNS_Doubles : Attr<
    CPred<"::llvm::isa<::mlir::DenseElementsAttr>($_self) && "
          "::llvm::cast<::mlir::DenseElementsAttr>($_self).getElementType().isF64()">,
    "dense elements of f64"> {
  let storageType = "::mlir::DenseElementsAttr";
  let returnType = "::mlir::DenseElementsAttr";
  let convertFromStorage = "$_self";
}

def RNS_ZeroOp : RNS_Op<"zero"> {
  let summary = "the polynomial 0";
  let description = [{
    Every residue is 0. P c over the limbs of c and of P is P c beside this.

    Constraints: (C1) the form is `eval`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %z = rns.zero : !rns.poly<[2], eval>
    ```
  }];
  let results = (outs RNS_Poly:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def RNS_ConstantOp : RNS_Op<"constant"> {
  let summary = "a clear plaintext polynomial, encoded when the program is loaded";
  let description = [{
    The artifact holds the values, never the residues. Kind `slots`: `values` are the slots,
    stretched over `slots` of them, the packing length unless given, and repeated to N/2, encoded at a
    scale. Kind `complex_slots`: the same with pairs of real and imaginary part in `values`. The scale stands in the text form of
    the compiler, `scale`, and as the unevaluated sum of doubles `high + low`, which is what the
    runtime reads. `generator` says what gives the same values, for the artifact to hold in their place: an attribute
    that nobody here looks into, `#ckks.dft_diagonal`. Who writes the artifact checks that it gives them.

    Constraints: (C1) `values` has rank 1 and a power of two of finite elements, at least a pair for
    `complex_slots`; (C2) `high` is positive and finite, `low` finite and at most half a unit in the
    last place of `high`; (C3) the result is in form `eval`; (C4) `slots` is a power of two, at least
    the number of values; (C5) a `generator` comes with `complex_slots`.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %c = rns.constant {kind = slots, values = dense<[0.5, 1.0]> : tensor<2xf64>, scale = "2^45",
                       high = 35184372088832.0, low = 0.0} : !rns.poly<[0, 1], eval>
    ```
  }];
  let arguments = (ins RNS_ConstantKindAttr:$kind, RNS_Doubles:$values, StrAttr:$scale, F64Attr:$high, F64Attr:$low,
                   OptionalAttr<RNS_Int64>:$slots, OptionalAttr<AnyAttr>:$generator);
  let results = (outs RNS_Poly:$result);
  let assemblyFormat = [{
    ` ` `{` (`generator` `=` $generator^ `,` ` `)? `` `kind` `=` `` $kind `,` `values` `=` $values `,` `scale` `=` $scale `,`
        `high` `=` custom<Number>($high) `,` `low` `=` custom<Number>($low)
        (`,` `slots` `=` $slots^)? `}`
    attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // SLUICE_DIALECTS_RNS_OPS_TD
