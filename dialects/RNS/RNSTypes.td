//===- RNSTypes.td - types and attributes of the rns dialect -------------------*- tablegen -*-===//
//
// Residue polynomials, digits, keys; the ring.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_RNS_TYPES_TD
#define SLUICE_DIALECTS_RNS_TYPES_TD

include "dialects/RNS/RNSDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===------------------------------------------------------------------------------------------===//
// Enumerations
//===------------------------------------------------------------------------------------------===//

class RNS_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::sluice::rns";
  let genSpecializedAttr = 0;
}

def RNS_Form : RNS_Enum<"Form", "form of a polynomial: coefficients, values, or on the way", [
    I32EnumAttrCase<"Coeff", 0, "coeff">,
    I32EnumAttrCase<"Eval", 1, "eval">,
    I32EnumAttrCase<"HalfIntt", 2, "half_intt">,
    I32EnumAttrCase<"HalfNtt", 3, "half_ntt">]>;

def RNS_KeyKind : RNS_Enum<"KeyKind", "what an evaluation key switches from", [
    I32EnumAttrCase<"Relinearize", 0, "relinearize">,
    I32EnumAttrCase<"Galois", 1, "galois">,
    I32EnumAttrCase<"ToEphemeral", 2, "to_ephemeral">,
    I32EnumAttrCase<"ToMain", 3, "to_main">]>;
def RNS_KeyKindAttr : EnumAttr<RNS_Dialect, RNS_KeyKind, "key_kind"> {
  let assemblyFormat = "$value";
}

def RNS_ConstantKind : RNS_Enum<"ConstantKind", "how the values of a constant are encoded", [
    I32EnumAttrCase<"Slots", 0, "slots">,
    I32EnumAttrCase<"ComplexSlots", 1, "complex_slots">]>;
def RNS_ConstantKindAttr : EnumAttr<RNS_Dialect, RNS_ConstantKind, "constant_kind"> {
  let assemblyFormat = "$value";
}

//===------------------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------------------===//

class RNS_Type<string name, string typeMnemonic> : TypeDef<RNS_Dialect, name> {
  let mnemonic = typeMnemonic;
  let genVerifyDecl = 1;
}

def RNS_Poly : RNS_Type<"Poly", "poly"> {
  let summary = "a residue polynomial";
  let description = [{
    `limbs` are indices into the limb table of `rns.ring`, in storage order; `form` is `coeff` or
    `eval`, or one of two between them: `half_intt`, what `rns.intt_rows` leaves, and `half_ntt`,
    what `rns.ntt_rows` takes. Only `rns.base_convert` leads from the first to the second. What
    their words hold is the backend's affair, so nothing else computes with them.

    Constraints: (C1) there is a limb; (C2) indices are not negative and distinct.

    Example: `!rns.poly<[0, 1, 2], eval>`.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$limbs, EnumParameter<RNS_Form>:$form);
  let assemblyFormat = "`<` custom<List>($limbs) `,` $form `>`";
  let extraClassDeclaration = [{
    unsigned getNumLimbs() const { return getLimbs().size(); }
    bool isEval() const { return getForm() == Form::Eval; }
    bool isCoeff() const { return getForm() == Form::Coeff; }
    /// Neither coefficients nor values.
    bool isHalf() const { return !isEval() && !isCoeff(); }
    PolyType withForm(Form form) const { return get(getContext(), getLimbs(), form); }
    PolyType withLimbs(::llvm::ArrayRef<int64_t> limbs) const { return get(getContext(), limbs, getForm()); }
  }];
}

def RNS_Digits : RNS_Type<"Digits", "digits"> {
  let summary = "the digits of a decomposed polynomial";
  let description = [{
    *Abstract*: only the limbs of the decomposed polynomial are known, `!rns.digits<[0, 1, 2]>`.
    *Chosen*: the key-switch method has fixed the digits; digit j is a polynomial in evaluation form
    over the limbs `over`, whose value is the centred residue modulo the limbs `groups[j]`:
    `!rns.digits<[0, 1, 2], groups = [[0, 1], [2]], over = [0, 1, 2, 3]>`.

    Constraints: (C1) there is a limb; (C2) indices are not negative and distinct, in `over` too;
    (C3) `groups` and `over` come together; (C4) the groups are not empty and partition the limbs;
    (C5) `over` contains the limbs.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$limbs,
                    OptionalArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$groups,
                    OptionalArrayRefParameter<"int64_t">:$over);
  let builders = [
    // Abstract.
    TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$limbs), [{
      return $_get($_ctxt, limbs, ::llvm::ArrayRef<::mlir::DenseI64ArrayAttr>(), ::llvm::ArrayRef<int64_t>());
    }]>,
  ];
  let extraClassDeclaration = [{
    bool isChosen() const { return !getOver().empty(); }
    bool isAbstract() const { return !isChosen(); }
    /// The type of every digit, where chosen.
    PolyType getDigitType() const { return PolyType::get(getContext(), getOver(), Form::Eval); }
  }];
  let hasCustomAssemblyFormat = 1;
}

def RNS_Key : RNS_Type<"Key", "key"> {
  let summary = "an evaluation key";
  let description = [{
    *Abstract*: `!rns.key`. *Chosen*: the rows of the key, the limbs of P first and then the union
    that it serves, and its digits, a partition of that union in the fixed order: `!rns.key<limbs =
    [3, 0, 1, 2], digits = [[0, 1], [2]]>`.

    Constraints: (C1) `limbs` and `digits` come together; (C2) indices are not negative and
    distinct; (C3) digits are not empty; (C4) every limb of a digit is in `limbs`; (C5) no limb is
    in two digits; (C6) the limbs that no digit has, those of P, come first and there is at least
    one.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$limbs,
                    OptionalArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$digits);
  let builders = [
    // Abstract.
    TypeBuilder<(ins), [{
      return $_get($_ctxt, ::llvm::ArrayRef<int64_t>(), ::llvm::ArrayRef<::mlir::DenseI64ArrayAttr>());
    }]>,
  ];
  let extraClassDeclaration = [{
    bool isChosen() const { return !getLimbs().empty(); }
    bool isAbstract() const { return !isChosen(); }
    /// The limbs of P: the rows before those of the digits.
    ::llvm::ArrayRef<int64_t> getSpecial() const;
  }];
  let hasCustomAssemblyFormat = 1;
}

//===------------------------------------------------------------------------------------------===//
// Attributes
//===------------------------------------------------------------------------------------------===//

def RNS_RingAttr : AttrDef<RNS_Dialect, "Ring"> {
  let mnemonic = "ring";
  let summary = "ring degree and limb table";
  let description = [{
    The module attribute `rns.ring`: N = 2^logN, and the primes that limb indices stand for.

    Constraints: (C1) 1 <= logN <= 17; (C2) there is a prime, and at most 65536; (C3) each is below
    2^50 and 1 modulo 2N; (C4) they are distinct.

    Example: `#rns.ring<logN = 3, primes = [17, 97, 113, 193]>`.
  }];
  let parameters = (ins "unsigned":$logN, ArrayRefParameter<"uint64_t">:$primes);
  let assemblyFormat = "`<` `logN` `=` $logN `,` `primes` `=` custom<List>($primes) `>`";
  let extraClassDeclaration = [{
    int64_t getRingDegree() const { return int64_t(1) << getLogN(); }
  }];
  let genVerifyDecl = 1;
}

#endif // SLUICE_DIALECTS_RNS_TYPES_TD
