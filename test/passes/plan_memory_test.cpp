//===- plan_memory_test.cpp - planned memory against an arena that is watched -----------------===//
//
// Random programs of kernels and views are planned, then walked with an arena whose slots hold the
// name of the limb last written there: every read must find the limb it means.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/InitDialects.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace sluice;

namespace {

using Limbs = SmallVector<int64_t>;

/// A random straight-line program on polynomials in evaluation form, some of them over all limbs.
class RandomProgram {
public:
  RandomProgram(MLIRContext &context, unsigned seed) : builder(&context), random(seed) {
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    Attribute ring = rns::RingAttr::get(&context, 3, {17, 97, 113, 193});
    (*module)->setAttr(rns::ringAttrName, ring);
    builder.setInsertionPointToEnd(module->getBody());
    Type full = rns::PolyType::get(&context, {0, 1, 2, 3}, rns::Form::Eval);
    auto function =
        func::FuncOp::create(builder, loc, "random", builder.getFunctionType({full, full}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    llvm::append_range(values, function.getArguments());
    for (unsigned step = 0; step < 40; ++step)
      values.push_back(makeOperation(loc));
    SmallVector<Value> outputs = {pick(), pick()};
    func::ReturnOp::create(builder, loc, outputs);
    function.setFunctionType(builder.getFunctionType({full, full}, ValueRange(outputs).getTypes()));
  }

  OwningOpRef<ModuleOp> module;

private:
  static rns::PolyType type(Value value) { return cast<rns::PolyType>(value.getType()); }
  unsigned below(unsigned bound) { return random() % bound; }
  /// A value, recent ones more often.
  Value pick() {
    size_t window = below(3) == 0 ? values.size() : std::min<size_t>(values.size(), 5);
    return values[values.size() - 1 - below(window)];
  }
  /// `count` distinct limbs of `from` in random order.
  Limbs someOf(ArrayRef<int64_t> from, unsigned count) {
    Limbs limbs(from);
    std::shuffle(limbs.begin(), limbs.end(), random);
    limbs.resize(count);
    return limbs;
  }

  Value makeOperation(Location loc) {
    Value a = pick();
    rns::PolyType t = type(a);
    switch (below(6)) {
    case 0: // another operand of the same type, if there is one
    case 1:
      for (Value b : llvm::reverse(values))
        if (b != a && b.getType() == t)
          return rns::MulOp::create(builder, loc, t, a, b);
      return rns::AddOp::create(builder, loc, t, a, a);
    case 2:
      return rns::AutomorphismOp::create(builder, loc, t, a, 5);
    case 3:
      return rns::DropOp::create(builder, loc, a, someOf(t.getLimbs(), 1 + below(t.getNumLimbs())));
    case 4: // two parts of different values, side by side
      if (Limbs rest = missing(t); !rest.empty())
        return rns::ConcatOp::create(
            builder, loc, ValueRange{a, rns::DropOp::create(builder, loc, values[below(2)], rest)});
      [[fallthrough]];
    default: // to the other limbs and back to evaluation form
      if (Limbs rest = missing(t); !rest.empty()) {
        Value coefficients = rns::InttOp::create(builder, loc, a);
        auto to = rns::PolyType::get(t.getContext(), rest, rns::Form::Coeff);
        Value converted = rns::BaseConvertOp::create(builder, loc, to, coefficients);
        return rns::NttOp::create(builder, loc, converted);
      }
      return rns::NegateOp::create(builder, loc, t, a);
    }
  }

  static Limbs missing(rns::PolyType type) {
    Limbs rest;
    for (int64_t limb = 0; limb < 4; ++limb)
      if (!llvm::is_contained(type.getLimbs(), limb))
        rest.push_back(limb);
    return rest;
  }

  OpBuilder builder;
  std::mt19937 random;
  std::vector<Value> values;
};

/// The arena, by the name of what each slot holds.
class WatchedArena {
public:
  explicit WatchedArena(func::FuncOp function) : function(function) {}

  void run() {
    for (BlockArgument argument : function.getArguments()) {
      auto slots =
          function.getArgAttrOfType<DenseI32ArrayAttr>(argument.getArgNumber(), rns::slotsAttrName);
      define(argument, slots.asArrayRef());
      write(argument);
    }
    for (Operation &op : function.getBody().front()) {
      if (auto drop = dyn_cast<rns::DropOp>(op))
        defineView(drop);
      else if (auto concat = dyn_cast<rns::ConcatOp>(op))
        defineView(concat);
      else
        execute(&op);
    }
  }

private:
  using Name = std::pair<void *, unsigned>; // the value that made it, its limb there

  ArrayRef<int32_t> slotsOf(Operation *op) {
    return op->getAttrOfType<DenseI32ArrayAttr>(rns::slotsAttrName).asArrayRef();
  }

  void define(Value value, ArrayRef<int32_t> slots) {
    places[value] = slots;
    for (unsigned limb = 0; limb < slots.size(); ++limb)
      names[value].push_back({value.getAsOpaquePointer(), limb});
  }
  void write(Value value) {
    for (auto [slot, name] : llvm::zip_equal(places[value], names[value])) {
      EXPECT_LT(slot, function->getAttrOfType<IntegerAttr>(rns::arenaSlotsAttrName).getInt());
      content[slot] = name;
    }
  }
  void expectReadable(Value value) {
    for (auto [slot, name] : llvm::zip_equal(places[value], names[value]))
      EXPECT_EQ(content[slot], name) << "slot " << slot;
  }

  /// A view reads nothing: only kernels that read it must find its limbs.
  void defineView(rns::DropOp op) {
    Value result = op.getResult();
    places[result] = slotsOf(op);
    ArrayRef<int64_t> from = op.getInput().getType().getLimbs();
    for (int64_t limb : op.getType().getLimbs())
      names[result].push_back(names[op.getInput()][llvm::find(from, limb) - from.begin()]);
  }
  void defineView(rns::ConcatOp op) {
    Value result = op.getResult();
    places[result] = slotsOf(op);
    for (Value input : op.getInputs())
      llvm::append_range(names[result], names[input]);
  }

  /// A kernel: reads all, then writes; overlap of destination and source as functions.def allows.
  void execute(Operation *op) {
    for (Value operand : op->getOperands())
      expectReadable(operand);
    if (op->getNumResults() == 0)
      return;
    Value result = op->getResult(0);
    define(result, slotsOf(op));
    bool mayWorkInPlace = !isa<rns::AutomorphismOp, rns::BaseConvertOp>(op);
    for (Value operand : op->getOperands())
      for (auto [position, slot] : llvm::enumerate(places[operand]))
        for (auto [limb, destination] : llvm::enumerate(places[result]))
          EXPECT_TRUE(slot != destination || (mayWorkInPlace && position == limb));
    for (auto [limb, destination] : llvm::enumerate(places[result]))
      EXPECT_EQ(llvm::count(places[result], destination), 1);
    write(result);
  }

  func::FuncOp function;
  llvm::DenseMap<Value, ArrayRef<int32_t>> places;
  llvm::DenseMap<Value, SmallVector<Name>> names;
  std::map<int32_t, Name> content;
};

TEST(PlanMemory, EveryReadFindsItsLimb) {
  DialectRegistry registry;
  registerSluiceDialects(registry);
  registry.insert<func::FuncDialect>();
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    RandomProgram program(context, seed);
    PassManager passes(&context);
    // With at-once other slots, but no more.
    passes.addPass(createPlanMemory());
    passes.addPass(createPlanMemory(PlanMemoryOptions{/*atOnce=*/true}));
    ASSERT_TRUE(succeeded(passes.run(*program.module)));
    WatchedArena(*program.module->getOps<func::FuncOp>().begin()).run();
    if (HasFailure())
      return;
  }
}

} // namespace
