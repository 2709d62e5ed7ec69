//===- RNSKeyOps.td - operations of the rns dialect for key switching ----------*- tablegen -*-===//
//
// See RNSOps.td, which includes this.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_RNS_KEYOPS_TD
#define SLUICE_DIALECTS_RNS_KEYOPS_TD

include "dialects/RNS/RNSOpBase.td"

def RNS_DecomposeOp : RNS_Op<"decompose"> {
  let summary = "the digits of a polynomial, for a key switch";
  let description = [{
    Abstract until a key-switch method is chosen: which digits there are, and over which limbs,
    `rns.mod_up` says. decompose commutes with automorphisms, which is what hoisting uses.

    Constraints: (C1) the operand is in form `eval`; (C2) the result is abstract and has the
    operand's limbs.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %d = rns.decompose %a : !rns.poly<[0, 1, 2], eval> -> !rns.digits<[0, 1, 2]>
    ```
  }];
  let arguments = (ins RNS_Poly:$input);
  let results = (outs RNS_Digits:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` qualified(type($result))";
  let builders = [OpBuilder<(ins "::mlir::Value":$input), [{
    auto type = ::llvm::cast<PolyType>(input.getType());
    build($_builder, $_state, DigitsType::get(type.getContext(), type.getLimbs()), input);
  }]>];
  let hasVerifier = 1;
}

def RNS_ModUpOp : RNS_Op<"mod_up"> {
  let summary = "chosen digits, each extended to all limbs of the key switch";
  let description = [{
    Digit j: the centred residue modulo the limbs `groups[j]` of the result type, extended to the
    limbs `over` (`rns.base_convert`), in evaluation form. `expand-base-changes` lowers it.

    Constraints: (C1) the operand is abstract; (C2) the result is chosen and has the operand's
    limbs.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %u = rns.mod_up %d : !rns.digits<[0, 1, 2]> -> !rns.digits<[0, 1, 2], groups = [[0, 1], [2]], over = [0, 1, 2, 3]>
    ```
  }];
  let arguments = (ins RNS_Digits:$input);
  let results = (outs RNS_Digits:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def RNS_KeyOp : RNS_Op<"key"> {
  let summary = "an evaluation key of the client";
  let description = [{
    `relinearize`: switches from the square of the secret; `galois` with `element` g: from
    sigma_g(s), X -> X^g, to s. A `permuted` one is sigma_g^-1 of that key: it switches from s to
    sigma_g^-1(s). `to_ephemeral` leads from s to the ephemeral secret, `to_main` back. Two
    operations that agree are one key of the manifest.

    Constraints: (C1) `element` is given if and only if the kind is `galois`; (C2) it is odd and
    above 1; (C3) below 2N where the module has `rns.ring`; (C4) only a key of kind `galois` is
    permuted.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %r = rns.key {kind = relinearize} : !rns.key
    %g = rns.key {kind = galois, element = 5} : !rns.key<limbs = [3, 0, 1, 2], digits = [[0, 1], [2]]>
    %p = rns.key {kind = galois, element = 5} permuted : !rns.key
    ```
  }];
  let arguments = (ins RNS_KeyKindAttr:$kind, OptionalAttr<RNS_Int64>:$element, UnitAttr:$permuted);
  let results = (outs RNS_Key:$result);
  let assemblyFormat = "` ` `{` `kind` `=` `` $kind (`,` `element` `=` $element^)? `}` "
                       "(`permuted` $permuted^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def RNS_InnerProductOp : RNS_Op<"inner_product", [AllTypesMatch<["b", "a"]>]> {
  let summary = "the digits times the rows of a key";
  let description = [{
    `(b, a) = sum over digits j of digit_j * (key.b, key.a)[j]` modulo the result's limbs. The
    digits are one value of `!rns.digits`, or, after `expand-base-changes`, one polynomial each;
    `key_digits` then says which digit of the key each one meets (0, 1, ... by default). Other
    attributes follow the word `attributes`, since `key_digits` may be absent.

    Constraints: (C1) one value of digits, or only polynomials; (C2) the results are in form `eval`;
    (C3) chosen digits are over the results' limbs; polynomials have the results' type; (C4) chosen
    digits and polynomials need a chosen key, (C5) which has the results' limbs; (C6) each group of
    chosen digits is what one digit of the key has of the decomposed limbs; (C7) `key_digits` is
    given with polynomials only, one for each, ascending, digits of the key.

    Example, from `test/dialects/rns/ops.mlir`:
    ```mlir
    %b, %a = rns.inner_product %d with %k : !rns.digits<[0, 1, 2]> with !rns.key -> !rns.poly<[0, 1, 2, 3], eval>
    ```
  }];
  let arguments = (ins Variadic<AnyTypeOf<[RNS_Digits, RNS_Poly]>>:$digits, RNS_Key:$key,
                   OptionalAttr<DenseI64ArrayAttr>:$key_digits);
  let results = (outs RNS_Poly:$b, RNS_Poly:$a);
  let assemblyFormat = [{
    $digits `with` $key (` ` `{` `key_digits` `=` $key_digits^ `}`)?
    attr-dict-with-keyword
    `:` qualified(type($digits)) `with` qualified(type($key)) `->` qualified(type($b))
  }];
  let builders = [
    // Both results have type `result`.
    OpBuilder<(ins "PolyType":$result, "::mlir::ValueRange":$digits, "::mlir::Value":$key,
                   CArg<"::mlir::DenseI64ArrayAttr", "{}">:$keyDigits), [{
      build($_builder, $_state, result, result, digits, key, keyDigits);
    }]>
  ];
  let extraClassDeclaration = [{
    /// The digit of the key that polynomial operand `index` meets.
    int64_t getKeyDigit(unsigned index) {
      return getKeyDigitsAttr() ? getKeyDigitsAttr()[index] : index;
    }
  }];
  let hasVerifier = 1;
}

#endif // SLUICE_DIALECTS_RNS_KEYOPS_TD
