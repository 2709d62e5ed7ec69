//===- RNSToRuntime.cpp - kernels become calls through the C ABI ------------------------------===//
//
// One LLVM function, sluice_program_run(context, functions), a straight list of calls. Tables of
// limbs, slots and scalars stand in read-only data, equal tables once. What else the artifact needs
// - places of inputs and outputs, and the constants - becomes the module attribute sluice.program:
//
//   {arena_slots = 12, scratch_slots = 3, inputs = [[array<i64: 0, 1>, array<i64: 2, 3>]], outputs
//   = ...,
//    constants = [{values = array<f64: ...>, complex, scale = array<f64: high, low>, limbs =
//    array<i64: ...>}], stages = ["EvalMod"]}
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/RNS/BlockElements.h"
#include "passes/FusedProgram.h"
#include "passes/Passes.h"
#include "passes/RuntimeCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_RNSTORUNTIME
#include "passes/Passes.h.inc"

namespace {

// --- One function -------------------------------------------------------------------------------

class ProgramLowering {
public:
  explicit ProgramLowering(FusedProgram fused)
      : fused(std::move(fused)), function(this->fused.getFunction()),
        calls(function->getParentOfType<ModuleOp>()) {}

  LogicalResult run() {
    for (Operation &op : function.getBody().front())
      if (failed(lower(op)))
        return failure();
    calls.finish();
    return success();
  }

  /// The attribute sluice.program, from the lists of ciphertexts that sluice.inputs and
  /// sluice.outputs describe.
  FailureOr<DictionaryAttr> describe(ArrayAttr inputs, ArrayAttr outputs) {
    Builder builder(function.getContext());
    auto arenaSlots = function->getAttrOfType<IntegerAttr>(rns::arenaSlotsAttrName);
    if (!arenaSlots)
      return function.emitError("has no 'rns.arena_slots'; run plan-memory first");
    auto terminator = cast<func::ReturnOp>(function.getBody().front().getTerminator());
    FailureOr<ArrayAttr> inputPlaces = group(builder, inputs, function.getArguments());
    FailureOr<ArrayAttr> outputPlaces = group(builder, outputs, terminator.getOperands());
    if (failed(inputPlaces) || failed(outputPlaces))
      return failure();
    NamedAttrList program;
    program.set("arena_slots", arenaSlots);
    if (auto scratchSlots = function->getAttrOfType<IntegerAttr>(rns::scratchSlotsAttrName))
      program.set("scratch_slots", scratchSlots);
    program.set("inputs", *inputPlaces);
    program.set("outputs", *outputPlaces);
    program.set("constants", fused.getConstants().toAttribute(builder));
    if (ArrayRef<StringAttr> stages = fused.getStages(); !stages.empty())
      program.set("stages", builder.getArrayAttr(llvm::to_vector_of<Attribute>(stages)));
    return program.getDictionary(function.getContext());
  }

private:
  /// Splits `polynomials` into ciphertexts: each entry of `ciphertexts` has the number of its
  /// polynomials.
  FailureOr<ArrayAttr> group(Builder &builder, ArrayAttr ciphertexts, ValueRange polynomials) {
    SmallVector<Attribute> groups;
    size_t next = 0;
    for (Attribute ciphertext : ciphertexts) {
      auto entry = dyn_cast<DictionaryAttr>(ciphertext);
      auto count = entry ? entry.getAs<IntegerAttr>("polynomials") : IntegerAttr();
      size_t size = count ? static_cast<size_t>(count.getInt()) : 0;
      if (size == 0 || next + size > polynomials.size())
        return function.emitError("does not have the polynomials that ")
               << ciphertext << " describes";
      SmallVector<Attribute> slots;
      for (Value polynomial : polynomials.slice(next, size))
        slots.push_back(
            builder.getDenseI64ArrayAttr(llvm::to_vector_of<int64_t>(fused.slotsOf(polynomial))));
      groups.push_back(builder.getArrayAttr(slots));
      next += size;
    }
    if (next != polynomials.size())
      return function.emitError("has ")
             << polynomials.size() << " polynomials, but " << next << " are described";
    return builder.getArrayAttr(groups);
  }

  // --- Operands ---

  Value limbsOf(rns::PolyType type) {
    return calls.limbTable<uint16_t>(llvm::to_vector_of<uint16_t>(type.getLimbs()));
  }
  Value slotsOf(Value value) {
    if (auto scratch = scratchOf.find(value); scratch != scratchOf.end())
      return calls.gather({{.slots = {}, .scratch = scratch->second}});
    return calls.limbTable<uint32_t>(numbersOf(value));
  }
  SmallVector<uint32_t> numbersOf(Value value) const {
    return llvm::to_vector_of<uint32_t>(fused.slotsOf(value));
  }
  Value scalars(ArrayRef<int64_t> residues) {
    return calls.limbTable<uint64_t>(llvm::to_vector_of<uint64_t>(residues));
  }
  bool hasPlace(Value value) const { return fused.hasPlace(value) || scratchOf.contains(value); }
  static rns::PolyType type(Value value) { return cast<rns::PolyType>(value.getType()); }

  // --- Operations ---

  LogicalResult lower(Operation &op) {
    if (isa<func::ReturnOp>(op))
      return requirePlaces(op);
    if (isa<rns::ConstantOp, rns::KeyOp>(op))
      return success();
    if (failed(fused.findPlaces(op)) || failed(requirePlaces(op)))
      return failure();
    if (isWithoutCode(op))
      return success();
    if (std::optional<uint32_t> stage = fused.enterStage(op.getLoc())) {
      calls.setLocation(op.getLoc());
      calls.call(RuntimeFunction::begin_stage, calls.number(*stage));
    }
    if (auto loop = dyn_cast<rns::LimbKernelOp>(op))
      return kernel(loop);
    return lowerKernel(op);
  }

  LogicalResult lowerKernel(Operation &op) {
    calls.setLocation(op.getLoc());
    return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
        .Case([&](rns::ZeroOp op) {
          calls.call(RuntimeFunction::zero, {calls.limbCount(op.getType().getNumLimbs()),
                                             limbsOf(op.getType()), slotsOf(op.getResult())});
          return success();
        })
        .Case([&](rns::NttOp op) { return unary(RuntimeFunction::ntt, op, op.getInput()); })
        .Case([&](rns::InttOp op) { return unary(RuntimeFunction::intt, op, op.getInput()); })
        .Case(
            [&](rns::NttRowsOp op) { return unary(RuntimeFunction::ntt_rows, op, op.getInput()); })
        .Case([&](rns::InttRowsOp op) {
          return unary(RuntimeFunction::intt_rows, op, op.getInput());
        })
        .Case([&](rns::NegateOp op) { return unary(RuntimeFunction::negate, op, op.getInput()); })
        .Case([&](rns::SubOp op) {
          return binary(RuntimeFunction::sub, op, op.getLhs(), op.getRhs());
        })
        .Case([&](rns::AddOp op) {
          return maybeConstant(RuntimeFunction::add, RuntimeFunction::add_constant, op, op.getLhs(),
                               op.getRhs());
        })
        .Case([&](rns::MulOp op) {
          return maybeConstant(RuntimeFunction::mul, RuntimeFunction::mul_constant, op, op.getLhs(),
                               op.getRhs());
        })
        .Case([&](rns::MacOp op) { return mac(op); })
        .Case([&](rns::WeightedSumOp op) { return weightedSum(op); })
        .Case([&](rns::MulScalarOp op) {
          return scalar(RuntimeFunction::mul_scalar, op, op.getInput(), op.getScalars());
        })
        .Case([&](rns::AddScalarOp op) {
          return scalar(RuntimeFunction::add_scalar, op, op.getInput(), op.getScalars());
        })
        .Case([&](rns::SubMulScalarOp op) { return subMulScalar(op); })
        .Case([&](rns::AutomorphismOp op) { return automorphism(op); })
        .Case([&](rns::BaseConvertOp op) { return baseConvert(op); })
        .Case([&](rns::InnerProductOp op) { return innerProduct(op); })
        .Default([](Operation *op) -> LogicalResult {
          return op->emitOpError("has no function in functions.def; run expand-base-changes first");
        });
  }

  /// Constants have no place in the arena: only sums, products and accumulations read them.
  LogicalResult requirePlaces(Operation &op) {
    for (Value operand : op.getOperands())
      if (isa<rns::PolyType>(operand.getType()) && !hasPlace(operand) &&
          !isa<rns::AddOp, rns::MulOp, rns::MacOp, rns::WeightedSumOp>(op))
        return op.emitOpError("cannot read a constant; only add, mul and mac can");
    return success();
  }

  LogicalResult unary(RuntimeFunction callee, Operation *op, Value input) {
    Value result = op->getResult(0);
    calls.call(callee, {calls.limbCount(type(result).getNumLimbs()), limbsOf(type(result)),
                        slotsOf(result), slotsOf(input)});
    return success();
  }

  LogicalResult binary(RuntimeFunction callee, Operation *op, Value lhs, Value rhs) {
    Value result = op->getResult(0);
    calls.call(callee, {calls.limbCount(type(result).getNumLimbs()), limbsOf(type(result)),
                        slotsOf(result), slotsOf(lhs), slotsOf(rhs)});
    return success();
  }

  /// A commutative operation, one of whose operands may be a constant.
  LogicalResult maybeConstant(RuntimeFunction plain, RuntimeFunction withConstant, Operation *op,
                              Value lhs, Value rhs) {
    if (lhs.getDefiningOp<rns::ConstantOp>())
      std::swap(lhs, rhs);
    auto constant = rhs.getDefiningOp<rns::ConstantOp>();
    if (!constant)
      return binary(plain, op, lhs, rhs);
    if (lhs.getDefiningOp<rns::ConstantOp>())
      return op->emitOpError("of two constants should have been computed by the compiler");
    Value result = op->getResult(0);
    calls.call(withConstant,
               {calls.limbCount(type(result).getNumLimbs()), limbsOf(type(result)), slotsOf(result),
                slotsOf(lhs), calls.number(fused.getConstants().numberOf(constant)),
                calls.limbTable<uint16_t>(fused.getConstants().rowsOf(constant))});
    return success();
  }

  LogicalResult mac(rns::MacOp op) {
    Value lhs = op.getLhs(), rhs = op.getRhs();
    if (lhs.getDefiningOp<rns::ConstantOp>())
      std::swap(lhs, rhs);
    if (!hasPlace(op.getAcc()) || !hasPlace(lhs))
      return op.emitOpError("can read one constant, as a factor");
    SmallVector<Value> arguments = {calls.limbCount(op.getType().getNumLimbs()),
                                    limbsOf(op.getType()), slotsOf(op.getResult()),
                                    slotsOf(op.getAcc()), slotsOf(lhs)};
    auto constant = rhs.getDefiningOp<rns::ConstantOp>();
    if (constant)
      llvm::append_values(arguments, calls.number(fused.getConstants().numberOf(constant)),
                          calls.limbTable<uint16_t>(fused.getConstants().rowsOf(constant)));
    else
      arguments.push_back(slotsOf(rhs));
    calls.call(constant ? RuntimeFunction::mac_constant : RuntimeFunction::mac, arguments);
    return success();
  }

  LogicalResult weightedSum(rns::WeightedSumOp op) {
    SmallVector<uint32_t> numbers;
    SmallVector<SmallVector<uint16_t>> lists; // rows, term by term
    for (Value weight : op.getWeights()) {
      auto constant = weight.getDefiningOp<rns::ConstantOp>();
      if (!constant)
        return op.emitOpError("has a weight that is not a constant");
      numbers.push_back(fused.getConstants().numberOf(constant));
      lists.push_back(fused.getConstants().rowsOf(constant));
    }
    for (Value value : op.getOperands())
      if (!hasPlace(value) && !llvm::is_contained(op.getWeights(), value))
        return op.emitOpError("can read constants as weights only");
    size_t limbs = type(op.getSum0()).getNumLimbs();
    // In a body the rows of one limb stand together.
    SmallVector<uint16_t> rows;
    for (size_t i = 0; i < limbs * lists.size(); ++i)
      rows.push_back(calls.isInBody() ? lists[i % lists.size()][i / lists.size()]
                                      : lists[i / limbs][i % limbs]);
    calls.call(RuntimeFunction::weighted_sum,
               {calls.limbCount(limbs), limbsOf(type(op.getSum0())), slotsOf(op.getSum0()),
                slotsOf(op.getSum1()), slotsOf(op.getAcc0()), slotsOf(op.getAcc1()),
                calls.number(numbers.size()), slotsOfAll(op.getValues0()),
                slotsOfAll(op.getValues1()), calls.table<uint32_t>(numbers),
                calls.limbTable<uint16_t>(rows, lists.size())});
    return success();
  }

  LogicalResult scalar(RuntimeFunction callee, Operation *op, Value input,
                       ArrayRef<int64_t> residues) {
    Value result = op->getResult(0);
    calls.call(callee, {calls.limbCount(type(result).getNumLimbs()), limbsOf(type(result)),
                        slotsOf(result), slotsOf(input), scalars(residues)});
    return success();
  }

  LogicalResult subMulScalar(rns::SubMulScalarOp op) {
    calls.call(RuntimeFunction::sub_mul_scalar,
               {calls.limbCount(op.getType().getNumLimbs()), limbsOf(op.getType()),
                slotsOf(op.getResult()), slotsOf(op.getLhs()), slotsOf(op.getRhs()),
                scalars(op.getScalars())});
    return success();
  }

  LogicalResult automorphism(rns::AutomorphismOp op) {
    calls.call(RuntimeFunction::automorphism,
               {calls.limbCount(type(op.getResult()).getNumLimbs()), limbsOf(type(op.getResult())),
                slotsOf(op.getResult()), slotsOf(op.getInput()),
                calls.number(static_cast<uint32_t>(op.getElement()))});
    return success();
  }

  LogicalResult baseConvert(rns::BaseConvertOp op) {
    rns::PolyType from = op.getInput().getType(), to = op.getType();
    calls.call(from.isHalf() ? RuntimeFunction::base_convert_columns
                             : RuntimeFunction::base_convert,
               {calls.limbCount(to.getNumLimbs()), limbsOf(to), slotsOf(op.getResult()),
                calls.limbCount(from.getNumLimbs()), limbsOf(from), slotsOf(op.getInput())});
    return success();
  }

  LogicalResult innerProduct(rns::InnerProductOp op) {
    FailureOr<FusedProgram::KeyUse> use = fused.keyUseOf(op);
    if (failed(use))
      return failure();
    rns::PolyType result = op.getB().getType();
    calls.call(RuntimeFunction::inner_product,
               {calls.limbCount(result.getNumLimbs()), limbsOf(result), slotsOf(op.getB()),
                slotsOf(op.getA()), calls.number(use->digits.size()), slotsOfAll(op.getDigits()),
                calls.number(use->key), calls.table<uint16_t>(use->digits),
                calls.limbTable<uint16_t>(use->rows)});
    return success();
  }

  /// The slots of several values, one after the other.
  Value slotsOfAll(ValueRange values) {
    SmallVector<uint32_t> numbers;
    SmallVector<SmallVector<uint32_t>> lists;
    for (Value value : values)
      llvm::append_range(numbers, lists.emplace_back(numbersOf(value)));
    if (!calls.isInBody())
      return calls.limbTable<uint32_t>(numbers);
    SmallVector<RuntimeCalls::Place> found;
    for (auto [value, list] : llvm::zip_equal(values, lists))
      found.push_back({list, scratchOf.lookup(value)});
    return calls.gather(found);
  }

  // --- Loops over limbs ---

  /// The body becomes a function of its own; its values have places like others, but one limb of
  /// them.
  LogicalResult kernel(rns::LimbKernelOp op) {
    Block &body = op.getBody().front();
    for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), op.getInputs()))
      fused.setPlace(argument, fused.slotsOf(operand));
    std::optional<rns::BlockElements> blocks = rns::BlockElements::find(op);
    uint32_t element = 1; // of the block that calls work on
    calls.beginBody();
    for (Operation &inner : body) {
      if (isa<rns::YieldOp>(inner))
        break;
      if (failed(findScratch(op, inner)) || failed(requirePlaces(inner)))
        return failure();
      if (blocks && blocks->ofResults(&inner) != element) {
        element = blocks->ofResults(&inner);
        calls.call(RuntimeFunction::select_block, {calls.number(element)});
      }
      if (failed(lowerKernel(inner)))
        return failure();
    }
    Value function = calls.endBody();
    calls.call(blocks ? RuntimeFunction::parallel_for_blocks : RuntimeFunction::parallel_for,
               {calls.number(type(op.getResult(0)).getNumLimbs()), function});
    return success();
  }

  /// Reads `rns.scratch` of an operation in `kernel`.
  LogicalResult findScratch(rns::LimbKernelOp kernel, Operation &op) {
    auto numbers = op.getAttrOfType<DenseI32ArrayAttr>(rns::scratchAttrName);
    if (!numbers)
      return op.emitOpError("has no 'rns.scratch'; run plan-memory first");
    for (auto [result, number] : llvm::zip_equal(op.getResults(), numbers.asArrayRef())) {
      if (number >= 0)
        scratchOf[result] = number;
      else if (int64_t(number) >= -int64_t(kernel.getNumResults()))
        fused.setPlace(result, fused.slotsOf(kernel.getResult(-1 - number)));
      else
        return op.emitOpError("has 'rns.scratch' ") << number << ", but its rns.limb_kernel has "
                                                    << kernel.getNumResults() << " results";
    }
    return success();
  }

  FusedProgram fused;
  func::FuncOp function;
  RuntimeCalls calls;
  llvm::DenseMap<Value, uint32_t> scratchOf; // values of kernels that are not in the arena
};

struct RNSToRuntime : impl::RNSToRuntimeBase<RNSToRuntime> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto inputs = module->getAttrOfType<ArrayAttr>(inputsAttr);
    auto outputs = module->getAttrOfType<ArrayAttr>(outputsAttr);
    FailureOr<FusedProgram> fused = FusedProgram::read(module);
    if (failed(fused))
      return signalPassFailure();
    if (!inputs || !outputs) {
      module.emitError("the module has no '") << inputsAttr << "' and '" << outputsAttr << "'";
      return signalPassFailure();
    }
    func::FuncOp function = fused->getFunction();
    ProgramLowering lowering(std::move(*fused));
    if (failed(lowering.run()))
      return signalPassFailure();
    FailureOr<DictionaryAttr> program = lowering.describe(inputs, outputs);
    if (failed(program))
      return signalPassFailure();
    module->setAttr(programAttr, *program);
    function.erase();
  }
};

} // namespace

} // namespace sluice
