//===- RuntimeCalls.cpp - builds sluice_program_run -------------------------------------------===//

#include "passes/RuntimeCalls.h"

#include "runtime/abi/sluice.h"

#include <utility>

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
  program = LLVM::LLVMFuncOp::create(builder, location, SLUICE_PROGRAM_SYMBOL, type);
  builder.setInsertionPointToStart(program.addEntryBlock(builder));
  current = program;
}

void RuntimeCalls::beginBody() {
  afterLastCall = builder.saveInsertionPoint();
  builder.setInsertionPoint(program);
  Type i32 = builder.getI32Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()),
                                          {pointerType, pointerType, i32, i32});
  current = LLVM::LLVMFuncOp::create(builder, location, "limb_body_" + std::to_string(bodies++),
                                     type, LLVM::Linkage::Internal);
  builder.setInsertionPointToStart(current.addEntryBlock(builder));
}

Value RuntimeCalls::endBody() {
  LLVM::ReturnOp::create(builder, location, ValueRange());
  LLVM::LLVMFuncOp body = std::exchange(current, program);
  builder.restoreInsertionPoint(afterLastCall);
  return LLVM::AddressOfOp::create(builder, location, pointerType, body.getSymName());
}

Value RuntimeCalls::atLimb(Value table, size_t elementBytes, size_t perLimb) {
  if (!isInBody())
    return table;
  Type entry = builder.getIntegerType(8 * elementBytes);
  if (perLimb > 1)
    entry = LLVM::LLVMArrayType::get(entry, perLimb);
  return LLVM::GEPOp::create(builder, location, pointerType, entry, table,
                             ArrayRef<LLVM::GEPArg>{current.getArgument(2)},
                             LLVM::GEPNoWrapFlags::inbounds);
}

Value RuntimeCalls::gather(ArrayRef<Place> places) {
  Type i32 = builder.getI32Type();
  Value numbers =
      LLVM::AllocaOp::create(builder, location, pointerType, i32, number(places.size()));
  for (auto [position, place] : llvm::enumerate(places)) {
    Value slot;
    if (place.slots.empty())
      slot = LLVM::AddOp::create(builder, location, current.getArgument(3), number(place.scratch));
    else
      slot = LLVM::LoadOp::create(builder, location, i32, limbTable(place.slots));
    Value element = LLVM::GEPOp::create(builder, location, pointerType, i32, numbers,
                                        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(position)},
                                        LLVM::GEPNoWrapFlags::inbounds);
    LLVM::StoreOp::create(builder, location, slot, element);
  }
  return numbers;
}

Value RuntimeCalls::number(uint32_t value) {
  return LLVM::ConstantOp::create(builder, location, builder.getI32Type(),
                                  builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

void RuntimeCalls::call(RuntimeFunction callee, ArrayRef<Value> arguments) {
  Value functions = current.getArgument(1);
  Value field = LLVM::GEPOp::create(
      builder, location, pointerType, functionsType, functions,
      ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(headerFields + unsigned(callee))},
      LLVM::GEPNoWrapFlags::inbounds);
  Value target = LLVM::LoadOp::create(builder, location, pointerType, field, /*alignment=*/0,
                                      /*isVolatile=*/false, /*isNonTemporal=*/false,
                                      /*isInvariant=*/true);
  SmallVector<Value> operands = {target, current.getArgument(0)};
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
  Value &base = bases[calls.current];
  if (!base) {
    OpBuilder::InsertionGuard guard(calls.builder);
    calls.builder.setInsertionPointToStart(&calls.current.getBody().front());
    base =
        LLVM::AddressOfOp::create(calls.builder, calls.current.getLoc(), calls.pointerType, name);
  }
  return LLVM::GEPOp::create(calls.builder, calls.location, calls.pointerType,
                             calls.builder.getIntegerType(8 * sizeof(T)), base,
                             ArrayRef<LLVM::GEPArg>{entry->second}, LLVM::GEPNoWrapFlags::inbounds);
}

template <typename T> void RuntimeCalls::TablePool<T>::writeGlobal(RuntimeCalls &calls) const {
  if (content.empty())
    return;
  OpBuilder builder(calls.module.getBodyRegion());
  Type element = builder.getIntegerType(8 * sizeof(T));
  auto size = static_cast<int64_t>(content.size());
  auto values = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get({size}, element),
      ArrayRef<char>(reinterpret_cast<const char *>(content.data()), content.size() * sizeof(T)));
  LLVM::GlobalOp::create(builder, calls.module.getLoc(), LLVM::LLVMArrayType::get(element, size),
                         /*isConstant=*/true, LLVM::Linkage::Private, name, values);
}

template class RuntimeCalls::TablePool<uint16_t>;
template class RuntimeCalls::TablePool<uint32_t>;
template class RuntimeCalls::TablePool<uint64_t>;

} // namespace sluice
