//===- RNSOpBase.td - classes of operations of the rns dialect -----------------*- tablegen -*-===//
#ifndef SLUICE_DIALECTS_RNS_OPBASE_TD
#define SLUICE_DIALECTS_RNS_OPBASE_TD

include "dialects/RNS/RNSTypes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Signless, read as signed.
def RNS_Int64 : TypedSignlessIntegerAttrBase<I64, "int64_t", "64-bit integer">;

class RNS_Op<string mnemonic, list<Trait> traits = []> : Op<RNS_Dialect, mnemonic, [Pure] # traits>;

// All polynomials, operands and result, have one type; the syntax prints it once.
class RNS_PointwiseOp<string mnemonic, dag operands, string format, list<Trait> traits = []>
    : RNS_Op<mnemonic, [SameOperandsAndResultType] # traits> {
  let arguments = operands;
  let results = (outs RNS_Poly:$result);
  let assemblyFormat = format # " attr-dict `:` qualified(type($result))";
}

// Coefficients or values, no half form.
class RNS_AnyFormOp<string mnemonic, dag operands, string format, list<Trait> traits = []>
    : RNS_PointwiseOp<mnemonic, operands, format, traits> {
  let hasVerifier = 1;
}

// Evaluation form is required beyond that.
class RNS_EvalPointwiseOp<string mnemonic, dag operands, string format, list<Trait> traits = []>
    : RNS_PointwiseOp<mnemonic, operands, format, traits> {
  let hasVerifier = 1;
}

// input -> result, both types printed.
class RNS_BaseChangeOp<string mnemonic, dag extra = (ins), string format = ""> : RNS_Op<mnemonic> {
  let arguments = !con((ins RNS_Poly:$input), extra);
  let results = (outs RNS_Poly:$result);
  let assemblyFormat = "$input " # format # " attr-dict `:` qualified(type($input)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

#endif // SLUICE_DIALECTS_RNS_OPBASE_TD
