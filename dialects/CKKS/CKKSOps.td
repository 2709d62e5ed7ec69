//===- CKKSOps.td - operations of the ckks dialect -----------------------------*- tablegen -*-===//
//
// The description of an operation is its specification: what it computes on slot values,
// constraints C1, C2, ..., and an example in a test. The verifiers in CKKSOps.cpp cite the numbers;
// the tests of test/dialects/ckks/invalid.mlir are named after them (@mul_c2).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_OPS_TD
#define SLUICE_DIALECTS_CKKS_OPS_TD

include "dialects/CKKS/CKKSCompositeOps.td"
include "dialects/CKKS/CKKSOpBase.td"

//===------------------------------------------------------------------------------------------===//
// Sums and products of ciphertexts
//===------------------------------------------------------------------------------------------===//

def CKKS_AddOp : CKKS_BinaryOp<"add", [Commutative]> {
  let summary = "sum of two ciphertexts";
  let description = [{
    `result[k] = lhs[k] + rhs[k]` in every slot k. No level is used.

    Constraints: (C1) both operands are floating or both settled; (C2) equal levels, secrets and
    slots; (C3) equal scales, as monomials; (C4) equal sizes; (C5) the result has the operands'
    type.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %c = ckks.add %a, %b : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let hasCanonicalizer = 1;
}

def CKKS_SubOp : CKKS_BinaryOp<"sub"> {
  let summary = "difference of two ciphertexts";
  let description = [{
    `result[k] = lhs[k] - rhs[k]` in every slot k. No level is used.

    Constraints: (C1) both operands are floating or both settled; (C2) equal levels, secrets and
    slots; (C3) equal scales, as monomials; (C4) equal sizes; (C5) the result has the operands'
    type.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %c = ckks.sub %a, %b : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let hasCanonicalizer = 1;
}

def CKKS_NegateOp : CKKS_SameTypeOp<"negate"> {
  let summary = "negation of a ciphertext";
  let description = [{
    `result[k] = -input[k]` in every slot k. No level is used.

    Constraints: (C1) the result has the operand's type.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.negate %a : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let hasFolder = 1;
}

def CKKS_MulOp : CKKS_BinaryOp<"mul", [Commutative]> {
  let summary = "product of two ciphertexts";
  let description = [{
    `result[k] = lhs[k] * rhs[k]` in every slot k. Floating: relinearised and rescaled implicitly,
    later. Settled: the plain tensor product, which has three polynomials and the product of the
    scales.

    Constraints: (C1) both operands are floating or both settled; (C2) equal levels,
    secrets and slots; (C3) both operands have size 2; (C4) the result is floating with its
    operands, otherwise it has their level, the product of their scales and size 3.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %c = ckks.mul %a, %b : !ckks.ct<level = 2, scale = 2^45>, !ckks.ct<level = 2, scale = 2^40>
                           -> !ckks.ct<level = 2, scale = 2^85, size = 3>
    ```
  }];
  let hasCanonicalizer = 1;
}

def CKKS_SquareOp : CKKS_SameTypeOp<"square"> {
  let summary = "square of a ciphertext";
  let description = [{
    `result[k] = input[k]^2` in every slot k: `ckks.mul` of a value with itself, which costs less.

    Constraints: (C1) the operand has size 2; (C2) the result is floating with its operand,
    otherwise it has the operand's level, the square of its scale and size 3.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.square %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^90, size = 3>
    ```
  }];
}

def CKKS_RelinearizeOp : CKKS_SameTypeOp<"relinearize"> {
  let summary = "back to two polynomials, with the relinearisation key";
  let description = [{
    The slot values stay; the part that decrypts under the square of the secret is switched to the
    secret.

    Constraints: (C1) the operand is settled; (C2) it has size 3; (C3) the result has the operand's
    level and scale, and size 2; (C4) the operand is under the main secret.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.relinearize %a : !ckks.ct<level = 2, scale = 2^90, size = 3> -> !ckks.ct<level = 2, scale = 2^90>
    ```
  }];
}

//===------------------------------------------------------------------------------------------===//
// Levels and scales
//===------------------------------------------------------------------------------------------===//

def CKKS_RescaleOp : CKKS_RetypingOp<"rescale"> {
  let summary = "division by limbs, down to a lower level";
  let description = [{
    The slot values stay; the raw value is multiplied by the limbs that the lower level adds and
    divided by those that it drops, rounded: with limb sets A (from) and B (to), `scale' = scale *
    prod(B \ A) / prod(A \ B)`. Levels need not be nested (rational rescale) nor neighbours. Source:
    docs/mathematics.md 16.3.

    Constraints: (C1) the operand is settled; (C2) the result level is lower than the operand's;
    (C3) sizes and slots are equal; (C4) the result scale is the one above (checked where the module
    has `ckks.params`).

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.rescale %a : !ckks.ct<level = 2, scale = 2^90> -> !ckks.ct<level = 1, scale = 2^90 * q2^-1>
    ```
  }];
  let builders = [
    // The result type is the operand's, rescaled to `level` under `params`.
    OpBuilder<(ins "::mlir::Value":$input, "int64_t":$level, "::sluice::ckks::ParamsAttr":$params)>
  ];
}

def CKKS_DropLevelOp : CKKS_RetypingOp<"drop_level"> {
  let summary = "the same value at a lower level";
  let description = [{
    Forgets residues. Slot values and scale stay; free.

    Constraints: (C1) the operand is settled; (C2) the result level is lower than the operand's;
    (C3) scale, size and slots are equal; (C4) the limb set of the result level is a subset of the operand
    level's (checked where the module has `ckks.params`): otherwise forgetting leaves a smaller
    modulus than the level has.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.drop_level %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 0, scale = 2^45>
    ```
  }];
  let builders = [
    // The operand's type at `level`.
    OpBuilder<(ins "::mlir::Value":$input, "int64_t":$level)>
  ];
  let hasFolder = 1;
}

def CKKS_ModRaiseOp : CKKS_RetypingOp<"mod_raise"> {
  let summary = "the same residues under a larger modulus";
  let description = [{
    With Q the product of the limbs of the operand's level: lifts both polynomials to the integers,
    centred modulo Q, and takes their residues at the result's level. What the result decrypts to is
    the operand's polynomial plus Q I, for an integer polynomial I of small, unknown coefficients
    (docs/mathematics.md, section 9). It is declared at scale Q, so that the *coefficients* are those
    of the operand, times scale / Q, plus integers: in terms of slots `result[k] = input[k] * scale
    / Q`, up to the slots of I. Those do not repeat before N/2 slots, and so many has the result;
    the operand's part repeats in them. `ckks.bootstrap` removes I.

    Constraints: (C1) the operand is settled; (C2) the result stands at a higher level; (C3) both
    have size 2; (C4) the result has N/2 slots and scale Q (checked where the module has
    `ckks.params`).

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.mod_raise %a : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 2, scale = q0>
    ```
  }];
  let builders = [
    // To `level`, as C4 has it.
    OpBuilder<(ins "::mlir::Value":$input, "int64_t":$level, "::sluice::ckks::ParamsAttr":$params)>
  ];
}

def CKKS_SwitchKeyOp : CKKS_RetypingOp<"switch_key"> {
  let summary = "the same ciphertext under the other secret";
  let description = [{
    `result = input`, encrypted under the secret that the result's type names. A value that
    `ckks.mod_raise` takes under the ephemeral secret, which has few coefficients, gets a small I;
    the main secret may then be as dense as it likes (sparse-secret encapsulation, docs/mathematics.md
    section 9). Only level 0 is switched to the ephemeral secret: its key is secure only with a small
    modulus.

    Constraints: (C1) the operand is settled; (C2) of size 2; (C3) the result's type is the operand's
    but for the secret, which is another one; (C4) where the module has `ckks.params`, those have an
    ephemeral secret, and (C5) a result under it stands at level 0.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.switch_key %a : !ckks.ct<level = 0, scale = 2^40> -> !ckks.ct<level = 0, scale = 2^40, secret = ephemeral>
    ```
  }];
  let builders = [
    // To the secret that the operand is not under.
    OpBuilder<(ins "::mlir::Value":$input)>
  ];
}

def CKKS_AdjustScaleOp : CKKS_RetypingOp<"adjust_scale"> {
  let summary = "multiplication by an integer, to declare another scale";
  let description = [{
    With s the operand's scale and S the result's: multiplies the raw value by K = round(S / s) and
    declares S. The slot values change by the relative error |K s / S - 1| <= s / 2S, an error of
    the *value*, never of the scale.

    Constraints: (C1) the operand is settled; (C2) level, size and slots stay; (C3) S / s is at least 2^30,
    or a natural number (then there is no error).

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.adjust_scale %a : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45 * q2>
    ```
  }];
  let builders = [
    // The operand's type with `scale`.
    OpBuilder<(ins "::mlir::Value":$input, "const ::sluice::ckks::Scale &":$scale)>
  ];
  let extraClassDeclaration = [{
    /// log2 of the smallest S / s that is accepted when S / s is not a natural number.
    static constexpr int64_t minRatioLog2 = 30;
    /// S / s, which is multiplied by once it is rounded.
    Scale getRatio() { return getResult().getType().getScale() / getInput().getType().getScale(); }
  }];
  let hasFolder = 1;
}

def CKKS_ReinterpretOp : CKKS_InferringOp<"reinterpret"> {
  let summary = "declares another scale, which multiplies the value by a known factor";
  let description = [{
    The raw value stays: `result[k] = factor * input[k]`, `scale' = scale / factor`. Free. The twin
    multiplies too.

    Constraints: (C1) `factor` is a positive power of two, so that the new scale is exact; (C2) the
    result is floating with its operand, otherwise it has the operand's level and size, and scale /
    factor.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.reinterpret %a {factor = 0.125} : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^48>
    ```
  }];
  let arguments = (ins CKKS_Ct:$input, F64Attr:$factor);
  let results = (outs CKKS_Ct:$result);
  let assemblyFormat = [{
    $input ` ` `{` `factor` `=` custom<Number>($factor) `}` attr-dict
    `:` custom<UnaryTypes>(type($input), type($result))
  }];
  let hasFolder = 1;
}

def CKKS_ViewSlotsOp : CKKS_RetypingOp<"view_slots"> {
  let summary = "the same content, said to repeat after another number of slots";
  let description = [{
    With m slots of the operand: `result[k] = input[k mod m]`. The raw value stays; free. A vector of
    few slots is one of more that repeats. To fewer slots the operation asserts that the content
    repeats: decryption shows the mean of the repetitions, and the twin takes it.

    Constraints: (C1) the operand is settled; (C2) the result has the operand's type but for the
    slots.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.view_slots %a : !ckks.ct<level = 2, scale = 2^45, slots = 8> -> !ckks.ct<level = 2, scale = 2^45, slots = 2>
    ```
  }];
  let builders = [
    // The operand's type with `slots`, at most N/2.
    OpBuilder<(ins "::mlir::Value":$input, "int64_t":$slots, "::sluice::ckks::ParamsAttr":$params)>
  ];
  let hasFolder = 1;
}

//===------------------------------------------------------------------------------------------===//
// Automorphisms
//===------------------------------------------------------------------------------------------===//

def CKKS_RotateOp : CKKS_InferringOp<"rotate"> {
  let summary = "rotation of the slots to the left";
  let description = [{
    `result[k] = input[(k + by) mod slots]`, `slots` those of the operand. Any `by` is allowed. Costs
    a key switch.

    Constraints: (C1) the operand has size 2 (relinearise first); (C2) the result has the operand's
    type; (C3) it is under the main secret.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.rotate %a {by = 5} : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let arguments = (ins CKKS_Ct:$input, CKKS_Int64:$by);
  let results = (outs CKKS_Ct:$result);
  let assemblyFormat = [{
    $input ` ` `{` `by` `=` $by `}` attr-dict `:` custom<UnaryTypes>(type($input), type($result))
  }];
  let hasFolder = 1;
}

def CKKS_ConjugateOp : CKKS_SameTypeOp<"conjugate"> {
  let summary = "complex conjugate of every slot";
  let description = [{
    `result[k] = conj(input[k])`. Costs a key switch.

    Constraints: (C1) the operand has size 2 (relinearise first); (C2) the result has the operand's
    type; (C3) it is under the main secret.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.conjugate %a : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let hasFolder = 1;
}

def CKKS_MulByIOp : CKKS_SameTypeOp<"mul_by_i"> {
  let summary = "multiplication of every slot by the imaginary unit";
  let description = [{
    `result[k] = i * input[k]`: a multiplication by X^(N/2), which costs neither level nor
    precision.

    Constraints: (C1) the result has the operand's type.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.mul_by_i %a : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let hasCanonicalizer = 1;
}

//===------------------------------------------------------------------------------------------===//
// Plaintext operands
//===------------------------------------------------------------------------------------------===//

def CKKS_AddPlainOp : CKKS_PlainOp<"add_plain", (ins CKKS_Doubles:$value), "`value` `=` $value"> {
  let summary = "adds a clear vector";
  let description = [{
    `value` has m elements; element e stands in the slots `e * slots / m ... (e + 1) * slots / m -
    1` of the operand's (it is *stretched*). The vector is encoded at the operand's scale and level and added. No
    level is used.

    Constraints: (C1) `value` has rank 1 and a power of two of elements, (C2) at most the slots of the
    operand where its type or `ckks.params` gives them, (C3) finite; (C4) the result has the operand's type.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.add_plain %a {value = dense<[1.0, -2.5]> : tensor<2xf64>} : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let hasCanonicalizer = 1;
}

def CKKS_MulPlainOp : CKKS_PlainOp<"mul_plain", (ins CKKS_Numbers:$value, OptionalAttr<CKKS_ScaleAttr>:$scale,
                                                 OptionalAttr<CKKS_DftDiagonalAttr>:$generator),
    "`value` `=` $value (`,` `scale` `=` qualified($scale)^)? (`,` `generator` `=` qualified($generator)^)?"> {
  let summary = "multiplies by a clear vector";
  let description = [{
    Slot by slot by `value`, stretched as in `ckks.add_plain`; its elements may be complex, as
    `(re, im)`. Settled: the vector is encoded at `scale`, and the result has the product of the
    scales. `generator` as in `ckks.linear_transform`.

    Constraints: (C1) `value` has rank 1 and a power of two of elements, (C2) at most the slots of the
    operand where its type or `ckks.params` gives them, (C3) finite; (C4) `scale` is given if and only if the
    operand is settled; (C5) the result is floating with its operand, otherwise it has the operand's
    level and size, and the product of the scales; (C6) complex elements are for settled operands;
    (C7) they are complex, and as many as the matrix has rows, where there is a `generator`.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.mul_plain %a {value = dense<[1.0, -2.5]> : tensor<2xf64>, scale = #ckks.scale<q2>}
         : !ckks.ct<level = 2, scale = 2^45> -> !ckks.ct<level = 2, scale = 2^45 * q2>
    ```
  }];
  let hasCanonicalizer = 1;
}

def CKKS_AddScalarOp : CKKS_PlainOp<"add_scalar", (ins F64Attr:$value), "`value` `=` custom<Number>($value)"> {
  let summary = "adds a clear number to every slot";
  let description = [{
    `result[k] = input[k] + value`. No level is used.

    Constraints: (C1) `value` is finite; (C2) the result has the operand's type.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.add_scalar %a {value = 0.5} : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def CKKS_MulScalarOp : CKKS_PlainOp<"mul_scalar", (ins F64Attr:$value, OptionalAttr<CKKS_ScaleAttr>:$scale),
    "`value` `=` custom<Number>($value) (`,` `scale` `=` qualified($scale)^)?"> {
  let summary = "multiplies every slot by a clear number";
  let description = [{
    `result[k] = input[k] * value`. Settled: the raw value is multiplied by round(value * scale);
    the result has the product of the scales. At scale 1, written `2^0`, that costs no level.

    Constraints: (C1) `value` is finite; (C2) `scale` is given if and only if the operand is
    settled; (C3) at scale `2^0` the value is an integer; (C4) the result is floating with its
    operand, otherwise it has the operand's level and size, and the product of the scales.

    Example, from `test/dialects/ckks/ops.mlir`:
    ```mlir
    %b = ckks.mul_scalar %a {value = 3.0, scale = #ckks.scale<2^0>} : !ckks.ct<level = 2, scale = 2^45>
    ```
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

#endif // SLUICE_DIALECTS_CKKS_OPS_TD
