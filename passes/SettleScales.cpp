//===- SettleScales.cpp - levels and exact scales on every value ------------------------------===//
//
// Reads a function as a circuit, has it solved (algorithms/ScaleSystem), and writes it again with
// levels, scales, rescales and relinearisations.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/LevelChanges.h"
#include "passes/Passes.h"
#include "passes/PolynomialVariable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using sluice::algorithms::CircuitNode;
using sluice::algorithms::NodeKind;
using sluice::algorithms::ScaleFailure;
using sluice::algorithms::ScaleSettlement;
using sluice::ckks::CtType;
using sluice::ckks::Scale;

namespace sluice {

#define GEN_PASS_DEF_SETTLESCALES
#include "passes/Passes.h.inc"

namespace {

bool isFloatingCt(Value value) {
  auto type = dyn_cast<CtType>(value.getType());
  return type && type.isFloating();
}

//===------------------------------------------------------------------------------------------===//
// Function -> circuit
//===------------------------------------------------------------------------------------------===//

/// A function as a circuit; node numbers stand for its floating values.
struct ReadCircuit {
  algorithms::Circuit circuit;
  llvm::MapVector<Value, unsigned> nodeOf; ///< in order of the nodes
};

/// What `op` is in a circuit, without operands; nothing for an unknown operation.
std::optional<CircuitNode> classify(Operation *op) {
  CircuitNode cheapUnary{.kind = NodeKind::unary, .commutesWithRescale = true};
  return llvm::TypeSwitch<Operation *, std::optional<CircuitNode>>(op)
      .Case<ckks::AddOp, ckks::SubOp>([](auto) { return CircuitNode{.kind = NodeKind::sum}; })
      .Case<ckks::MulOp, ckks::SquareOp>(
          [](auto) { return CircuitNode{.kind = NodeKind::product}; })
      .Case<ckks::MulPlainOp, ckks::LinearTransformOp>(
          [](auto) { return CircuitNode{.kind = NodeKind::plainProduct}; })
      .Case([&](ckks::MulScalarOp product) {
        return product.getValue().isInteger() ? cheapUnary
                                              : CircuitNode{.kind = NodeKind::plainProduct};
      })
      .Case<ckks::NegateOp, ckks::MulByIOp, ckks::AddPlainOp, ckks::AddScalarOp>(
          [&](auto) { return cheapUnary; })
      // A key switch costs less after the rescale.
      .Case<ckks::RotateOp, ckks::ConjugateOp>(
          [](auto) { return CircuitNode{.kind = NodeKind::unary}; })
      .Case([&](ckks::ReinterpretOp reinterpret) {
        CircuitNode node = cheapUnary;
        node.factor = Scale::powerOfTwo(-int64_t(reinterpret.getFactor().getExactLog2()));
        return node;
      })
      .Case([](ckks::PolynomialOp polynomial) {
        return CircuitNode{.kind = NodeKind::polynomial,
                           .levels = unsigned(polynomial.getDepth()),
                           .log2HalfWidth = variableChangeOf(polynomial).log2HalfWidth()};
      })
      .Default(std::optional<CircuitNode>());
}

/// An entry of the plan of bootstraps.
int64_t numberIn(DictionaryAttr plan, StringRef name) {
  return plan.getAs<IntegerAttr>(name).getInt();
}

class CircuitReader {
public:
  /// `plan`: what refreshes become, if the module has any.
  explicit CircuitReader(DictionaryAttr plan) : plan(plan) {}

  FailureOr<ReadCircuit> read(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      if (isFloatingCt(argument))
        addNode(argument, {});
    for (Operation &op : function.getBody().front().without_terminator())
      if (failed(readOp(&op)))
        return failure();
    for (Value output : function.getBody().front().getTerminator()->getOperands())
      if (isFloatingCt(output))
        result.circuit.outputs.push_back(result.nodeOf.lookup(output));
    return std::move(result);
  }

private:
  void addNode(Value value, CircuitNode node) {
    result.nodeOf[value] = result.circuit.nodes.size();
    result.circuit.nodes.push_back(std::move(node));
  }

  LogicalResult readOp(Operation *op) {
    bool isConcerned = llvm::any_of(op->getOperands(), isFloatingCt) ||
                       llvm::any_of(op->getResults(), isFloatingCt);
    if (!isConcerned)
      return success();
    if (auto refresh = dyn_cast<ckks::RefreshOp>(op))
      return readRefresh(refresh);
    std::optional<CircuitNode> node = classify(op);
    if (!node)
      return op->emitError() << "'" << op->getName()
                             << "' has no rule for levels and scales; settle-scales takes "
                                "the floating operations of the ckks dialect";
    for (Value operand : op->getOperands())
      node->operands.push_back(result.nodeOf.lookup(operand));
    if (isa<ckks::SquareOp>(op))
      node->operands.push_back(node->operands.front());
    addNode(op->getResult(0), std::move(*node));
    return success();
  }

  /// Its operand leaves the circuit, its result enters it.
  LogicalResult readRefresh(ckks::RefreshOp op) {
    if (!plan)
      return op.emitError() << "the module has no '" << ckks::bootstrapAttrName
                            << "'; run select-parameters first";
    const unsigned operand = result.nodeOf.lookup(op.getInput());
    unsigned &least = result.circuit.nodes[operand].leastLevel;
    least = std::max(least, unsigned(numberIn(plan, "input_level")) + 1);
    result.circuit.outputs.push_back(operand);
    addNode(op.getResult(),
            {.kind = NodeKind::input,
             .given = std::pair(unsigned(numberIn(plan, "result_level")),
                                Scale::powerOfTwo(numberIn(plan, "result_log_scale")))});
    return success();
  }

  DictionaryAttr plan;
  ReadCircuit result;
};

//===------------------------------------------------------------------------------------------===//
// Settled circuit -> function
//===------------------------------------------------------------------------------------------===//

/// The shapes in which a value is available, made when first asked for.
struct Forms {
  Value unrelinearized; ///< raw, three polynomials
  Value raw;            ///< one level higher, two polynomials
  Value settled;        ///< at its level and scale
  std::map<int64_t, Value> lowered;
};

/// What was inserted.
struct Counts {
  unsigned rescales = 0, relinearizations = 0, drops = 0;
  unsigned freeAdjustments = 0, paidAdjustments = 0;
};

class Writer {
public:
  Writer(ckks::ParamsAttr params, DictionaryAttr plan, const ReadCircuit &source,
         const ScaleSettlement &settlement)
      : params(params), plan(plan), source(source), circuit(source.circuit), settlement(settlement),
        builder(params.getContext()), forms(circuit.nodes.size()), uses(circuit.nodes.size()) {
    for (const CircuitNode &node : circuit.nodes)
      for (unsigned operand : node.operands)
        ++uses[operand];
    for (unsigned output : circuit.outputs)
      ++uses[output];
  }

  Counts write(func::FuncOp function) {
    for (auto [value, node] : source.nodeOf)
      if (Operation *op = value.getDefiningOp()) {
        builder.setInsertionPoint(op);
        writeOp(op, node);
      } else {
        value.setType(settledType(node));
        forms[node].settled = value;
      }

    Operation *terminator = function.getBody().front().getTerminator();
    builder.setInsertionPoint(terminator);
    for (OpOperand &output : terminator->getOpOperands())
      if (auto node = source.nodeOf.find(output.get()); node != source.nodeOf.end())
        output.set(settledAt(node->second, 0, terminator->getLoc()));
    for (auto [value, node] : llvm::reverse(source.nodeOf))
      if (Operation *op = value.getDefiningOp())
        op->erase();
    function.setType(builder.getFunctionType(function.getBody().getArgumentTypes(),
                                             terminator->getOperandTypes()));
    return counts;
  }

private:
  int64_t level(unsigned node) const { return settlement.levels.level[node]; }
  CtType settledType(unsigned node) const {
    return CtType::get(params.getContext(), level(node), settlement.scale[node]);
  }
  /// Two polynomials, not rescaled.
  Value raw(unsigned node) {
    Forms &form = forms[node];
    if (!form.raw) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(form.unrelinearized);
      form.raw =
          ckks::RelinearizeOp::create(builder, form.unrelinearized.getLoc(), form.unrelinearized);
      ++counts.relinearizations;
    }
    return form.raw;
  }

  Value settled(unsigned node) {
    Forms &form = forms[node];
    if (!form.settled) {
      Value input = raw(node);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(input);
      form.settled = ckks::RescaleOp::create(builder, input.getLoc(), input, level(node), params);
      ++counts.rescales;
    }
    return form.settled;
  }

  Value settledAt(unsigned node, int64_t level, Location loc) {
    Value value = settled(node);
    Value &lowered = forms[node].lowered[level];
    if (!lowered) {
      lowered = lowerToLevel(builder, loc, value, level, params);
      counts.drops += lowered != value;
    }
    return lowered;
  }

  /// Operand `position` as `node` meets it: at its level, adjusted where that is settled.
  Value operand(unsigned node, unsigned position, Location loc) {
    Value value =
        settledAt(circuit.nodes[node].operands[position],
                  settlement.levels.useLevel(circuit, settlement.adjusted, node, position), loc);
    bool isAdjusted = settlement.adjusted.contains({node, position});
    return isAdjusted ? adjusted(node, position, value, loc) : value;
  }

  void writeOp(Operation *op, unsigned node) {
    switch (circuit.nodes[node].kind) {
    case NodeKind::input:
      return writeRefresh(cast<ckks::RefreshOp>(op), node);
    case NodeKind::sum:
      return writeSum(op, node);
    case NodeKind::product: {
      Value lhs = operand(node, 0, op->getLoc()), rhs = operand(node, 1, op->getLoc());
      forms[node].unrelinearized =
          lhs == rhs ? keepAttributes(op, ckks::SquareOp::create(builder, op->getLoc(), lhs))
                     : keepAttributes(op, ckks::MulOp::create(builder, op->getLoc(), lhs, rhs));
      return;
    }
    case NodeKind::plainProduct: {
      OperationState state = copyOf(op, operand(node, 0, op->getLoc()));
      Scale plain = settlement.plainScale[node];
      state.addAttribute("scale", ckks::ScaleAttr::get(op->getContext(), plain));
      forms[node].raw = createInferred(state, plain);
      return;
    }
    case NodeKind::polynomial: {
      OperationState state = copyOf(op, operand(node, 0, op->getLoc()));
      state.addTypes(settledType(node));
      forms[node].settled = builder.create(state)->getResult(0);
      return;
    }
    case NodeKind::unary:
      return writeUnary(op, node);
    }
  }

  /// The operand goes down to where a bootstrap begins: its level mostly has limbs of its own, so
  /// that one rational rescale leads there, from the scale that makes it the operand's.
  void writeRefresh(ckks::RefreshOp op, unsigned node) {
    const unsigned source = this->source.nodeOf.lookup(op.getInput());
    Value value = settledAt(source, level(source), op.getLoc());
    const int64_t from = level(source), to = numberIn(plan, "input_level");
    const Scale scale = Scale::powerOfTwo(numberIn(plan, "input_log_scale"));
    value = ckks::AdjustScaleOp::create(builder, op.getLoc(), value,
                                        scale / params.getRescaleFactor(from, to));
    value = ckks::RescaleOp::create(builder, op.getLoc(), value, to, params);
    ++counts.paidAdjustments;
    ++counts.rescales;
    OperationState state(op.getLoc(), ckks::BootstrapOp::getOperationName());
    state.addOperands(value);
    state.addTypes(settledType(node));
    for (NamedAttribute entry : plan)
      if (llvm::is_contained(ckks::BootstrapOp::getAttributeNames(), entry.getName().strref()))
        state.addAttribute(entry.getName(), entry.getValue());
    forms[node].settled = builder.create(state)->getResult(0);
  }

  void writeUnary(Operation *op, unsigned node) {
    bool isRaw = settlement.levels.isRaw[node];
    unsigned input = circuit.nodes[node].operands[0];
    OperationState state = copyOf(op, isRaw ? raw(input) : operand(node, 0, op->getLoc()));
    if (isa<ckks::MulScalarOp>(op)) // by an integer
      state.addAttribute("scale", ckks::ScaleAttr::get(op->getContext(), Scale()));
    (isRaw ? forms[node].raw : forms[node].settled) =
        createInferred(state, circuit.nodes[node].factor);
  }

  void writeSum(Operation *op, unsigned node) {
    bool isRaw = settlement.levels.isRaw[node];
    const std::vector<unsigned> &inputs = circuit.nodes[node].operands;
    bool isAdjusted =
        settlement.adjusted.contains({node, 0}) || settlement.adjusted.contains({node, 1});
    bool isUnrelinearized = isRaw && !isAdjusted && llvm::all_of(inputs, [&](unsigned input) {
                              return forms[input].unrelinearized && uses[input] == 1;
                            });
    std::array<Value, 2> values;
    for (unsigned position : {0u, 1u}) {
      if (isUnrelinearized)
        values[position] = forms[inputs[position]].unrelinearized;
      else if (isRaw && !settlement.adjusted.contains({node, position}))
        values[position] = raw(inputs[position]);
      else
        values[position] = operand(node, position, op->getLoc());
    }
    Value sum =
        isa<ckks::SubOp>(op)
            ? keepAttributes(op, ckks::SubOp::create(builder, op->getLoc(), values[0], values[1]))
            : keepAttributes(op, ckks::AddOp::create(builder, op->getLoc(), values[0], values[1]));
    Forms &form = forms[node];
    (isUnrelinearized ? form.unrelinearized : isRaw ? form.raw : form.settled) = sum;
  }

  /// An adjusted operand joins a raw sum as it is; otherwise a rescale of its own brings it to its
  /// place.
  Value adjusted(unsigned node, unsigned position, Value value, Location loc) {
    bool isFree = settlement.levels.isFree(circuit, {node, position});
    Scale from = cast<CtType>(value.getType()).getScale();
    const Scale &to = settlement.adjustedScale.at({node, position});
    int64_t errorLog2 = (from / to).log2Fixed(params.getLimbs()) / (1 << 20) - 1;
    emitRemark(loc) << "operand " << position + 1 << " is adjusted from scale " << from.str()
                    << " to " << to.str() << ": relative value error at most 2^" << errorLog2
                    << (isFree ? "; free, the sum is rescaled anyway"
                               : "; paid with a level and a rescale of its own");
    ++(isFree ? counts.freeAdjustments : counts.paidAdjustments);
    value = ckks::AdjustScaleOp::create(builder, loc, value, to);
    if (isFree)
      return value;
    ++counts.rescales;
    int64_t level = cast<CtType>(value.getType()).getLevel() - 1;
    return ckks::RescaleOp::create(builder, loc, value, level, params);
  }

  Value keepAttributes(Operation *op, Value made) {
    made.getDefiningOp()->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    return made;
  }

  /// The same operation with all its attributes on another operand, without a result type.
  OperationState copyOf(Operation *op, Value input) {
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(input);
    state.addAttributes(op->getAttrs());
    return state;
  }

  /// Adds the result type, the operand's with the scale multiplied by `factor`.
  Value createInferred(OperationState &state, const Scale &factor) {
    auto type = cast<CtType>(state.operands.front().getType());
    state.addTypes(type.withScale(type.getScale() * factor));
    return builder.create(state)->getResult(0);
  }

  ckks::ParamsAttr params;
  DictionaryAttr plan;
  const ReadCircuit &source;
  const algorithms::Circuit &circuit;
  const ScaleSettlement &settlement;
  OpBuilder builder;
  std::vector<Forms> forms; ///< by node
  std::vector<unsigned> uses;
  Counts counts;
};

//===------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------===//

struct SettleScales : impl::SettleScalesBase<SettleScales> {
  using SettleScalesBase::SettleScalesBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(settle(function)))
        return signalPassFailure();
    getOperation()->removeAttr(ckks::scaleLog2AttrName);
    getOperation()->removeAttr(ckks::bootstrapAttrName);
  }

private:
  LogicalResult settle(func::FuncOp function) {
    if (!llvm::any_of(function.getArguments(), isFloatingCt))
      return success();
    auto params = getOperation()->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    if (!params)
      return getOperation()->emitError()
             << "the module has no '" << ckks::paramsAttrName << "'; run select-parameters first";
    if (!function.getBody().hasOneBlock())
      return function.emitError() << "must be straight-line code, one block";
    prepare(function);
    auto plan = getOperation()->getAttrOfType<DictionaryAttr>(ckks::bootstrapAttrName);
    FailureOr<ReadCircuit> source = CircuitReader(plan).read(function);
    if (failed(source))
      return failure();

    algorithms::ScaleChain chain = chainOf(params);
    if (auto scale = getOperation()->getAttrOfType<IntegerAttr>(ckks::scaleLog2AttrName))
      chain.scaleLog2 = double(scale.getInt());
    auto result = algorithms::settleScales(
        source->circuit, chain,
        {.minRatioLog2 = minRatio, .minScaleLog2 = minScale, .exactTrials = exactTrials});
    if (auto *failure = std::get_if<ScaleFailure>(&result))
      return report(function, *source, params, *failure);
    auto &settlement = std::get<ScaleSettlement>(result);
    Counts counts = Writer(params, plan, *source, settlement).write(function);
    freeAdjustments += counts.freeAdjustments;
    paidAdjustments += counts.paidAdjustments;
    rescales += counts.rescales;
    relinearizations += counts.relinearizations;
    drops += counts.drops;
    height.updateMax(settlement.levels.height);
    return success();
  }

  /// Removes what would count although nothing uses it, and gives polynomials a variable in [-1,
  /// 1].
  void prepare(func::FuncOp function) {
    SmallVector<Operation *> operations;
    for (Operation &op : function.getBody().front().without_terminator())
      operations.push_back(&op);
    for (Operation *op : llvm::reverse(operations))
      if (isOpTriviallyDead(op))
        op->erase();
    for (auto op : llvm::make_early_inc_range(function.getOps<ckks::PolynomialOp>())) {
      Location loc = op.getLoc();
      if (isFloatingCt(op.getInput()) && simplifyPolynomial(op))
        emitRemark(loc) << "the half-width of the polynomial's interval is not a power of two: "
                           "bringing it to [-1, 1] costs a level";
    }
  }

  LogicalResult report(func::FuncOp function, const ReadCircuit &source, ckks::ParamsAttr params,
                       const ScaleFailure &failure) {
    unsigned top = params.getNumLevels() - 1;
    if (failure.reason == ScaleFailure::Reason::chainTooShort)
      return function.emitError() << "needs levels 0 to " << failure.height << "; '"
                                  << ckks::paramsAttrName << "' has levels 0 to " << top;
    if (failure.reason == ScaleFailure::Reason::inputTooLow)
      return function.emitError() << "needs " << failure.height << " more level"
                                  << (failure.height == 1 ? "" : "s")
                                  << " behind a bootstrap than '" << ckks::bootstrapAttrName
                                  << "' leaves";
    Value value = (source.nodeOf.begin() + failure.node)->first;
    if (failure.reason == ScaleFailure::Reason::contradiction)
      return emitError(value.getLoc())
             << "the operands cannot get equal scales, and adjusting one of them needs a level "
                "above "
             << top << ", the highest of '" << ckks::paramsAttrName << "'";
    return emitError(value.getLoc())
           << llvm::formatv("a scale here would be 2^{0:F1}, outside 2^{1:F1} ... 2^{2:F1}; "
                            "larger levels would make room",
                            failure.scaleLog2, failure.low, failure.high)
                  .str();
  }
};

} // namespace
} // namespace sluice
