//===- RuntimeCalls.cpp - builds sluice_program_run
//-------------------------------------------------===//

#include "passes/RuntimeCalls.h"

#include "runtime/abi/sluice.h"

using namespace mlir;

namespace sluice {

namespace {

constexpr const char *functionNames[] = {
#define SLUICE_FUNCTION(name, parameters) #name,
#include "runtime/abi/functions.def"
#undef SLUICE_FUNCTION
};

/// Fields of sluice_functions before the pointers: abiVersion, reserved.
constexpr unsigned headerFields = 2;

} // namespace

RuntimeCalls::RuntimeCalls(ModuleOp module)
    : module(module), builder(module.getContext()), location(module.getLoc()),
      pointerType(LLVM::LLVMPointerType::get(module.getContext())) {
  SmallVector<Type> fields(headerFields, builder.getI32Type());
  fields.append(std::size(functionNames), pointerType);
  functionsType = LLVM::LLVMStructType::getLiteral(module.getContext(), fields);

  builder.setInsertionPointToEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(builder.getI32Type(), {pointerType, pointerType});
  function = LLVM::LLVMFuncOp::create(builder, location, SLUICE_PROGRAM_SYMBOL, type);
  builder.setInsertionPointToStart(function.addEntryBlock(builder));
}

Value RuntimeCalls::number(uint32_t value) {
  return LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                  builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

void RuntimeCalls::call(RuntimeFunction callee, ArrayRef<Value> arguments) {
  Value functions = function.getArgument(1);
  Value field = LLVM::GEPOp::create(
      builder, location, pointerType, functionsType, functions,
      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(headerFields + unsigned(callee))},
      LLVM::GEPNoWrapFlags::inbounds);
  Value target = LLVM::LoadOp::create(builder, location, pointerType, field, /*alignment=*/0,
                                      /*isVolatile=*/false, /*isNonTemporal=*/false,
                                      /*isInvariant=*/true);
  SmallVector<Value> operands = {target, function.getArgument(0)};
  llvm::append_range(operands, arguments);
  SmallVector<Type> types;
  for (Value operand : ArrayRef<Value>(operands).drop_front())
    types.push_back(operand.getType());
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), types);
  LLVM::CallOp::create(builder, location, type, operands);
}

void RuntimeCalls::finish() {
  LLVM::ReturnOp::create(builder, location, number(0));
  limbs.writeGlobal(*this);
  slots.writeGlobal(*this);
  scalars.writeGlobal(*this);
}

template <typename T>
Value RuntimeCalls::TablePool<T>::pointer(RuntimeCalls &calls, ArrayRef<T> elements) {
  auto [entry, isNew] = offsets.try_emplace(std::vector<T>(elements), content.size());
  if (isNew)
    content.insert(content.end(), elements.begin(), elements.end());
  if (!base) {
    OpBuilder::InsertionGuard guard(calls.builder);
    calls.builder.setInsertionPointToStart(&calls.function.getBody().front());
    base =
        LLVM::AddressOfOp::create(calls.builder, calls.function.getLoc(), calls.pointerType, name);
  }
  return LLVM::GEPOp::create(calls.builder, calls.location, calls.pointerType,
                             calls.builder.getIntegerType(8 * sizeof(T)), base,
                             ArrayRef<LLVM::GEPArg>{entry->second}, LLVM::GEPNoWrapFlags::inbounds);
}

Value RuntimeCalls::table(ArrayRef<uint16_t> elements) { return limbs.pointer(*this, elements); }
Value RuntimeCalls::table(ArrayRef<uint32_t> elements) { return slots.pointer(*this, elements); }
Value RuntimeCalls::table(ArrayRef<uint64_t> elements) { return scalars.pointer(*this, elements); }

template <typename T> void RuntimeCalls::TablePool<T>::writeGlobal(RuntimeCalls &calls) const {
  if (content.empty())
    return;
  OpBuilder builder(calls.function);
  Type element = builder.getIntegerType(8 * sizeof(T));
  auto size = static_cast<int64_t>(content.size());
  auto values = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get({size}, element),
      ArrayRef<char>(reinterpret_cast<const char *>(content.data()), content.size() * sizeof(T)));
  LLVM::GlobalOp::create(builder, calls.module.getLoc(), LLVM::LLVMArrayType::get(element, size),
                         /*isConstant=*/true, LLVM::Linkage::Private, name, values);
}

} // namespace sluice
