//===- CKKSOpBase.td - what operations of the ckks dialect share ---------------*- tablegen -*-===//
#ifndef SLUICE_DIALECTS_CKKS_OPBASE_TD
#define SLUICE_DIALECTS_CKKS_OPBASE_TD

include "dialects/CKKS/CKKSAttributes.td"
include "dialects/CKKS/CKKSTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class CKKS_Op<string mnemonic, list<Trait> traits = []> : Op<CKKS_Dialect, mnemonic, [Pure] # traits> {
  let hasVerifier = 1;
}

// The result type follows from the operands and attributes: each operation says how in inferType,
// and builders without a result type use it. The verifier compares with it itself, so that its
// message can say what would be right; the interface therefore accepts any ciphertext.
class CKKS_InferringOp<string mnemonic, list<Trait> traits = []> : CKKS_Op<mnemonic, traits # [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let extraClassDeclaration = [{
    /// The result type that these operands and attributes give.
    static ::sluice::ckks::CtType inferType(Adaptor adaptor);
    static bool isCompatibleReturnTypes(::mlir::TypeRange, ::mlir::TypeRange) { return true; }
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location>, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &inferred) {
      inferred.push_back(inferType(Adaptor(operands, attributes, properties, regions)));
      return ::mlir::success();
    }
  }];
}

// (lhs, rhs) -> result, one type printed where all three agree.
class CKKS_BinaryOp<string mnemonic, list<Trait> traits = []>
    : CKKS_InferringOp<mnemonic, traits> {
  let arguments = (ins CKKS_Ct:$lhs, CKKS_Ct:$rhs);
  let results = (outs CKKS_Ct:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` custom<BinaryTypes>(type($lhs), type($rhs), type($result))";
}

// input -> result of the same type.
class CKKS_SameTypeOp<string mnemonic, list<Trait> traits = []>
    : CKKS_InferringOp<mnemonic, traits> {
  let arguments = (ins CKKS_Ct:$input);
  let results = (outs CKKS_Ct:$result);
  let assemblyFormat = "$input attr-dict `:` custom<UnaryTypes>(type($input), type($result))";
}

// input -> result, settled, where the result type is the parameter of the operation.
class CKKS_RetypingOp<string mnemonic> : CKKS_Op<mnemonic> {
  let arguments = (ins CKKS_Ct:$input);
  let results = (outs CKKS_Ct:$result);
  let assemblyFormat = "$input attr-dict `:` custom<UnaryTypes>(type($input), type($result))";
}

// input -> result with a vector or scalar `value`.
class CKKS_PlainOp<string mnemonic, dag attributes, string keys>
    : CKKS_InferringOp<mnemonic> {
  let arguments = !con((ins CKKS_Ct:$input), attributes);
  let results = (outs CKKS_Ct:$result);
  let assemblyFormat = "$input ` ` `{` " # keys # " `}` attr-dict `:` custom<UnaryTypes>(type($input), type($result))";
}

#endif // SLUICE_DIALECTS_CKKS_OPBASE_TD
