//===- CKKSAttributes.td - attributes of the ckks dialect ----------------------*- tablegen -*-===//
//
// The chain, layouts, scales, and constraints on upstream attributes.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_DIALECTS_CKKS_ATTRIBUTES_TD
#define SLUICE_DIALECTS_CKKS_ATTRIBUTES_TD

include "dialects/CKKS/CKKSDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"

class CKKS_Attr<string name, string attrMnemonic> : AttrDef<CKKS_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def CKKS_ScaleAttr : CKKS_Attr<"Scale", "scale"> {
  let summary = "an exact scale";
  let description = [{
    Wraps `sluice::ckks::Scale`: a monomial in 2 and the limbs `q<i>` with dyadic exponents. 1 is
    written `2^0`. Examples: `#ckks.scale<2^45>`, `#ckks.scale<2^90 * q3^-1>`, `#ckks.scale<2^(45/2)
    * q3^(1/2)>`.
  }];
  let parameters = (ins CKKS_ScaleParameter:$value);
  let hasCustomAssemblyFormat = 1;
}

def CKKS_ParamsAttr : CKKS_Attr<"Params", "params"> {
  let summary = "the parameters of the scheme: ring, limbs, levels, digits, secret";
  let description = [{
    The module attribute `ckks.params`. `limbs` is the limb table; every other limb number is an
    index into it.

    - `logN`: log2 of the ring degree N.
    - `limbs`: primes, 1 modulo 2N, below 2^50.
    - `special`: the limbs of P, the modulus that key switching adds.
    - `levels`: the limb set of each level, in storage order; level 0 first.
    - `digits`: a partition of the union of the level sets, in the one fixed order of decomposition.
    - `slots`: the packing length, a power of two, at most N/2, which is the default.
    - `secret = "uniform-ternary"`: distribution of the main secret; "sparse-192" has exactly 192
      coefficients that are not 0.
    - `ephemeral = "ephemeral-32"`: there is a second secret, with exactly 32 such coefficients, that
      `ckks.mod_raise` may be done under; then `ephemeral_special` are the limbs of the modulus that
      switching to it adds.
    - `security = 128`: bits of security, checked against the table by who chose the parameters; 0
      for insecure parameters.

    Constraints:
    - (C1) 1 <= logN <= 17.
    - (C2) each limb is a prime below 2^50; (C3) and 1 modulo 2N; (C4) limbs are distinct.
    - (C5) every index is inside the limb table; (C6) no list repeats an index.
    - (C7) there is a level, and no level is empty.
    - (C8) the products of the level sets strictly increase.
    - (C9) no limb of P is in a level.
    - (C10) the digits partition the union of the levels; without special limbs there may be none.
    - (C11) P is at least the product of every digit.
    - (C12) `slots` is a power of two, at most N/2.
    - (C13) `secret` is "uniform-ternary" or "sparse-192"; (C14) `security` is 0 or 128.
    - (C15) `ephemeral` is "" or "ephemeral-32", and comes with `ephemeral_special`; (C16) no limb of
      those is special or in a level; (C17) their product is at least every limb of level 0.

    Example: `test/dialects/ckks/attributes.mlir`.
  }];
  let parameters = (ins "unsigned":$logN, ArrayRefParameter<"uint64_t">:$limbs,
                    OptionalArrayRefParameter<"int64_t">:$special,
                    ArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$levels,
                    OptionalArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$digits,
                    "int64_t":$slots, StringRefParameter<>:$secret, "unsigned":$security,
                    StringRefParameter<>:$ephemeral,
                    OptionalArrayRefParameter<"int64_t">:$ephemeralSpecial);
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral defaultSecret = "uniform-ternary";
    static constexpr ::llvm::StringLiteral sparseSecret = "sparse-192";
    static constexpr ::llvm::StringLiteral ephemeralSecret = "ephemeral-32";
    static constexpr unsigned defaultSecurity = 128;

    int64_t getRingDegree() const { return int64_t(1) << getLogN(); }
    bool hasEphemeral() const { return !getEphemeral().empty(); }
    /// The limbs that a key adds: of P, or of the modulus that leads to the ephemeral secret.
    ::llvm::ArrayRef<int64_t> getSpecialOf(bool leadsToEphemeral) const {
      return leadsToEphemeral ? getEphemeralSpecial() : getSpecial();
    }
    /// Limb indices of level `level`, in storage order.
    ::llvm::ArrayRef<int64_t> getLevel(int64_t level) const { return getLevels()[level].asArrayRef(); }
    int64_t getNumLevels() const { return getLevels().size(); }
    ::llvm::ArrayRef<int64_t> getDigit(unsigned digit) const { return getDigits()[digit].asArrayRef(); }
    /// The primes with these indices.
    ::llvm::SmallVector<uint64_t> getPrimes(::llvm::ArrayRef<int64_t> indices) const;
    /// What a rescale from one level to another multiplies the scale by: the product of the limbs
    /// that it adds over the product of the limbs that it drops.
    Scale getRescaleFactor(int64_t from, int64_t to) const;
  }];
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

def CKKS_LayoutAttr : CKKS_Attr<"Layout", "layout"> {
  let summary = "how a tensor lies in the slots of a ciphertext";
  let description = [{
    The tensor of `shape` is flattened row-major with every dimension padded to a power of two;
    `lanes` is the padded element count. Element e of batch item b stands at slot `e * (slots /
    lanes) + b`; `batch` is the number of items. If `batched` is false the one item is copied to
    every b. Padding is zero on inputs.

    Constraints: (C1) dimensions are positive; (C2) `lanes` is a power of two; (C3) at least the
    padded element count; (C4) `batch` >= 1.

    Example: `#ckks.layout<shape = [30], lanes = 32, batch = 256, batched = true>`; a scalar has
    `shape = []`.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$shape, "int64_t":$lanes, "int64_t":$batch,
                    "bool":$batched);
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
}

//===------------------------------------------------------------------------------------------===//
// What the matrices of a bootstrap's transforms are generated from
//===------------------------------------------------------------------------------------------===//

// Which way a group of factors of the embedding goes.
def CKKS_DftDirection : I32EnumAttr<"DftDirection", "direction of a transform", [
    I32EnumAttrCase<"CoefficientsToSlots", 0, "coefficients_to_slots">,
    I32EnumAttrCase<"SlotsToCoefficients", 1, "slots_to_coefficients">]> {
  let cppNamespace = "::sluice::ckks";
  let genSpecializedAttr = 0;
}

// What becomes of the matrix of a group of n slots.
def CKKS_DftForm : I32EnumAttr<"DftForm", "form of a transform's matrix", [
    I32EnumAttrCase<"Plain", 0, "plain">,
    I32EnumAttrCase<"OntoFirstHalf", 1, "onto_first_half">,
    I32EnumAttrCase<"FromHalves", 2, "from_halves">]> {
  let cppNamespace = "::sluice::ckks";
  let genSpecializedAttr = 0;
}

def CKKS_DftMatrixAttr : CKKS_Attr<"DftMatrix", "dft_matrix"> {
  let summary = "what a matrix of CoeffsToSlots or SlotsToCoeffs is generated from";
  let description = [{
    The product of `factor` and the factors V_first ... V_(first + count - 1) of the embedding of n = 2^log_slots
    slots, or of their conjugate transposes for `coefficients_to_slots` (docs/mathematics.md, section 7). `form`:
    `plain`, that matrix M; `onto_first_half`, the one of size 2n that takes (x, x) to (M x, 0); `from_halves`, the one
    of size 2n that takes (x, y) to (M (x + i y), M (x + i y)). `halved_column`: in the end column 0 is halved.
    `runtime/ring/dft_factors` computes the entries.

    Constraints: (C1) `log_slots` is from 1 to 16; (C2) `first` and `count` are at least 1 and `first + count - 1` at
    most `log_slots`; (C3) `factor` is a finite f64.

    Example: `#ckks.dft_matrix<direction = slots_to_coefficients, log_slots = 3, first = 2, count = 2, factor =
    5.000000e-01 : f64>`.
  }];
  let parameters = (ins EnumParameter<CKKS_DftDirection>:$direction, "unsigned":$log_slots, "unsigned":$first,
                    "unsigned":$count, "::mlir::FloatAttr":$factor,
                    DefaultValuedParameter<EnumParameter<CKKS_DftForm>.cppType, "DftForm::Plain">:$form,
                    DefaultValuedParameter<"bool", "false">:$halved_column);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// Rows: n or 2n.
    int64_t getSize() const { return int64_t(1) << (getLogSlots() + (getForm() != DftForm::Plain)); }
  }];
  let genVerifyDecl = 1;
}

def CKKS_DftDiagonalAttr : CKKS_Attr<"DftDiagonal", "dft_diagonal"> {
  let summary = "what a vector is generated from: one diagonal of a #ckks.dft_matrix";
  let description = [{
    Element r is `M[s][(s + index) mod m]` with `s = (r + rotation) mod m`, m the size of the matrix M.

    Constraints: (C1) `index` and `rotation` are in [0, m).

    Example: `#ckks.dft_diagonal<matrix = <...>, index = 3, rotation = 0>`.
  }];
  let parameters = (ins "DftMatrixAttr":$matrix, "int64_t":$index, "int64_t":$rotation);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

//===------------------------------------------------------------------------------------------===//
// Enumerations, and upstream attributes with a meaning
//===------------------------------------------------------------------------------------------===//

def CKKS_Basis : I32EnumAttr<"Basis", "basis of a polynomial", [
    I32EnumAttrCase<"Chebyshev", 0, "chebyshev">,
    I32EnumAttrCase<"Monomial", 1, "monomial">]> {
  let cppNamespace = "::sluice::ckks";
  let genSpecializedAttr = 0;
}
def CKKS_BasisAttr : EnumAttr<CKKS_Dialect, CKKS_Basis, "basis"> {
  let assemblyFormat = "$value";
}

// Where the series of EvalMod's cosine is right.
def CKKS_SineNodes : I32EnumAttr<"SineNodes", "nodes of a series for the remainder modulo 1", [
    I32EnumAttrCase<"Chebyshev", 0, "chebyshev">,
    I32EnumAttrCase<"HanKi", 1, "han_ki">]> {
  let cppNamespace = "::sluice::ckks";
  let genSpecializedAttr = 0;
}
def CKKS_SineNodesAttr : EnumAttr<CKKS_Dialect, CKKS_SineNodes, "sine_nodes"> {
  let assemblyFormat = "$value";
}

// What a bootstrap does first.
def CKKS_BootstrapOrder : I32EnumAttr<"BootstrapOrder", "order of the steps of a bootstrap", [
    I32EnumAttrCase<"ModRaiseFirst", 0, "mod_raise_first">,
    I32EnumAttrCase<"SlotsToCoefficientsFirst", 1, "slots_to_coefficients_first">]> {
  let cppNamespace = "::sluice::ckks";
  let genSpecializedAttr = 0;
}
def CKKS_BootstrapOrderAttr : EnumAttr<CKKS_Dialect, CKKS_BootstrapOrder, "bootstrap_order"> {
  let assemblyFormat = "$value";
}

// Which secret key a ciphertext is encrypted under.
def CKKS_Secret : I32EnumAttr<"Secret", "secret key", [
    I32EnumAttrCase<"Main", 0, "main">,
    I32EnumAttrCase<"Ephemeral", 1, "ephemeral">]> {
  let cppNamespace = "::sluice::ckks";
  let genSpecializedAttr = 0;
}

// Signless, read as signed.
def CKKS_Int64 : TypedSignlessIntegerAttrBase<I64, "int64_t", "64-bit integer">;

// Dense doubles of any shape; the operations check the shape.
def CKKS_Doubles : Attr<
    CPred<"::llvm::isa<::mlir::DenseElementsAttr>($_self) && "
          "::llvm::cast<::mlir::DenseElementsAttr>($_self).getElementType().isF64()">,
    "dense elements of f64"> {
  let storageType = "::mlir::DenseElementsAttr";
  let returnType = "::mlir::DenseElementsAttr";
  let convertFromStorage = "$_self";
}

// Dense real or complex doubles of any shape, the latter written (re, im).
def CKKS_Numbers : Attr<
    Or<[CKKS_Doubles.predicate,
        CPred<"::llvm::isa<::mlir::DenseElementsAttr>($_self) && "
              "::llvm::cast<::mlir::DenseElementsAttr>($_self).getElementType() == "
              "::mlir::ComplexType::get(::mlir::Float64Type::get($_self.getContext()))">]>,
    "dense elements of f64 or complex<f64>"> {
  let storageType = "::mlir::DenseElementsAttr";
  let returnType = "::mlir::DenseElementsAttr";
  let convertFromStorage = "$_self";
}

#endif // SLUICE_DIALECTS_CKKS_ATTRIBUTES_TD
