//===- PackTensors.cpp - tensors become slots of ciphertexts ----------------------------------===//

#include "passes/PackedBuilder.h"
#include "passes/Passes.h"
#include "passes/TracedOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using sluice::algorithms::Interval;
using sluice::algorithms::Shape;

namespace sluice {

#define GEN_PASS_DEF_PACKTENSORS
#include "passes/Passes.h.inc"

namespace {

/// Slots of the largest ring, N = 2^17.
constexpr int64_t maxSlots = 65536;

Shape shapeVector(Value value) {
  ArrayRef<int64_t> shape = shapeOf(value);
  return Shape(shape.begin(), shape.end());
}

/// Rewrites one traced function into a packed one.
class Packer {
public:
  Packer(func::FuncOp function, int64_t wantedBatch) : traced(function), wantedBatch(wantedBatch) {}

  /// The slots that the packed function needs, or failure after an error.
  FailureOr<int64_t> run() {
    if (failed(chooseLanes()))
      return failure();
    OpBuilder builder(traced);
    func::FuncOp packed = createFunction(builder);
    builder.setInsertionPointToStart(packed.addEntryBlock());
    PackedBuilder packer(builder, lanes, slots);
    bind(packed);
    for (Operation &op : traced.front()) {
      packer.setLocation(op.getLoc());
      LogicalResult result =
          isa<func::ReturnOp>(op) ? finish(builder, packed, &op) : pack(packer, &op);
      if (failed(result)) {
        packed.erase();
        return failure();
      }
    }
    traced.erase();
    return slots;
  }

private:
  //===--------------------------------------------------------------------===//
  // Layouts and signature
  //===--------------------------------------------------------------------===//

  bool isBatched() const { return wantedBatch > 0; }

  /// The lanes of the largest tensor, for all of them.
  LogicalResult chooseLanes() {
    Location largest = traced.getLoc();
    auto consider = [&](Value value, Location location) {
      if (!isReal(value.getType()))
        return;
      int64_t needed = algorithms::paddedElementCount(shapeOf(value));
      if (needed > lanes) {
        lanes = needed;
        largest = location;
      }
    };
    for (BlockArgument argument : traced.getArguments())
      consider(argument, argument.getLoc());
    for (Operation &op : traced.front()) {
      if (failed(checkTraced(&op)))
        return failure();
      for (Value result : op.getResults())
        if (!constantElements(result)) // clear matrices need no lanes
          consider(result, op.getLoc());
    }
    batch = isBatched() ? algorithms::nextPowerOfTwo(wantedBatch) : 1;
    slots = lanes * batch;
    if (lanes > maxSlots)
      return emitError(largest)
             << "a secret tensor takes " << lanes
             << " lanes (dimensions padded to powers of two); a ciphertext holds at most "
             << maxSlots;
    if (slots > maxSlots)
      return traced.emitError() << "a batch of " << wantedBatch << " items of " << lanes
                                << " lanes takes " << slots << " slots; a ciphertext holds "
                                << maxSlots << ": the largest batch is " << maxSlots / lanes;
    return success();
  }

  DictionaryAttr signatureAttrs(Builder &builder, StringRef name, const Shape &shape,
                                int64_t tensorLanes, int64_t capacity, Attribute range) {
    NamedAttrList attributes;
    attributes.set(ckks::layoutAttrName, ckks::LayoutAttr::get(builder.getContext(), shape,
                                                               tensorLanes, capacity, isBatched()));
    attributes.set(ckks::nameAttrName, builder.getStringAttr(name));
    if (range)
      attributes.set(ckks::rangeAttrName, range);
    return attributes.getDictionary(builder.getContext());
  }

  /// A scalar that is not batched fills all slots, so that it needs no replication.
  int64_t lanesOfInput(BlockArgument argument) const {
    return elementCountOf(argument) == 1 && !isBatched() ? 1 : lanes;
  }

  func::FuncOp createFunction(OpBuilder &builder) {
    auto ct = ckks::CtType::get(builder.getContext());
    SmallVector<Type> inputs(traced.getNumArguments(), ct), outputs(traced.getNumResults(), ct);
    auto packed = func::FuncOp::create(builder, traced.getLoc(), traced.getName(),
                                       builder.getFunctionType(inputs, outputs));
    packed.setVisibility(traced.getVisibility());
    if (isBatched())
      packed->setAttr(ckks::batchAttrName, builder.getI64IntegerAttr(wantedBatch));
    for (BlockArgument argument : traced.getArguments()) {
      unsigned index = argument.getArgNumber();
      auto name = traced.getArgAttrOfType<StringAttr>(index, ckks::nameAttrName);
      int64_t inputLanes = lanesOfInput(argument);
      packed.setArgAttrs(index,
                         signatureAttrs(builder, name ? name.str() : "arg" + std::to_string(index),
                                        shapeVector(argument), inputLanes, slots / inputLanes,
                                        traced.getArgAttr(index, ckks::rangeAttrName)));
    }
    return packed;
  }

  void bind(func::FuncOp packed) {
    for (auto [argument, ct] : llvm::zip_equal(traced.getArguments(), packed.getArguments())) {
      Packed value{ct, shapeVector(argument)};
      Attribute declared = traced.getArgAttr(argument.getArgNumber(), ckks::rangeAttrName);
      value.range = rangeOf(declared).value_or(Interval::everything());
      if (isBatched())
        value.range = algorithms::hull(value.range, Interval(0));
      value.padding = Interval(0);
      value.isUniform = lanesOfInput(argument) == 1;
      values[argument] = value;
    }
  }

  LogicalResult finish(OpBuilder &builder, func::FuncOp packed, Operation *op) {
    PackedBuilder packer(builder, lanes, slots);
    packer.setLocation(op->getLoc());
    SmallVector<Value> results;
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      if (!values.contains(operand))
        return op->emitError() << "result " << index
                               << " does not depend on a secret; compute it outside the program";
      Packed value = packer.atFirstLane(values[operand]);
      results.push_back(value.ct);
      auto name = traced.getResultAttrOfType<StringAttr>(index, ckks::nameAttrName);
      std::string fallback =
          op->getNumOperands() == 1 ? "result" : "result" + std::to_string(index);
      int64_t outputLanes = value.elements() == 1 ? 1 : lanes;
      Attribute range = traced.getResultAttr(index, ckks::rangeAttrName);
      if (!range && value.range.isFinite())
        range = rangeAttr(builder.getContext(), value.range);
      packed.setResultAttrs(index, signatureAttrs(builder, name ? name.str() : fallback,
                                                  value.shape, outputLanes, batch, range));
    }
    func::ReturnOp::create(builder, op->getLoc(), results);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  bool isSecret(Value value) const { return values.contains(value); }

  LogicalResult pack(PackedBuilder &packer, Operation *op) {
    Value result = op->getResult(0);
    if (llvm::none_of(op->getOperands(), [&](Value operand) { return isSecret(operand); })) {
      if (isReal(result.getType()) && !constantElements(result) && !isa<tensor::EmptyOp>(op))
        return op->emitError() << "operation '" << op->getName()
                               << "' has only clear operands; compute it before and use a constant";
      return success();
    }
    FailureOr<Packed> value = isMovement(op)                    ? packMovement(packer, op)
                              : isProduct(op)                   ? packProduct(packer, op)
                              : isa<tensor::FromElementsOp>(op) ? packFromElements(packer, op)
                                                                : packElementwise(packer, op);
    if (failed(value))
      return failure();
    if (auto promised = rangeOf(op->getAttr(ckks::rangeAttrName)))
      value->range = algorithms::intersect(value->range, *promised);
    values[result] = *value;
    return success();
  }

  FailureOr<Packed> packElementwise(PackedBuilder &packer, Operation *op) {
    if (isa<math::ExpOp, math::TanhOp, math::ErfOp, math::SqrtOp, math::RsqrtOp, math::AbsFOp,
            arith::MaximumFOp, arith::MinimumFOp, arith::CmpFOp, arith::SelectOp, arith::UIToFPOp>(
            op))
      return op->emitError() << "operation '" << op->getName()
                             << "' has no exact circuit; run approximate-nonlinear first",
             failure();
    if (op->getNumOperands() == 1 || isa<math::FPowIOp>(op))
      return packUnary(packer, op);
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    if (!isSecret(lhs) || !isSecret(rhs))
      return packWithConstant(packer, op);
    if (isa<arith::AddFOp>(op))
      return packer.add(values[lhs], values[rhs]);
    if (isa<arith::SubFOp>(op))
      return packer.subtract(values[lhs], values[rhs]);
    if (isa<arith::MulFOp>(op))
      return lhs == rhs ? packer.square(values[lhs]) : packer.multiply(values[lhs], values[rhs]);
    return op->emitError("division by a secret value; run approximate-nonlinear first, or multiply "
                         "by a polynomial "
                         "approximation of the reciprocal"),
           failure();
  }

  FailureOr<Packed> packUnary(PackedBuilder &packer, Operation *op) {
    const Packed &operand = values[op->getOperand(0)];
    if (isa<arith::NegFOp>(op))
      return packer.negate(operand);
    if (auto exponent = exponentOf(op))
      return packer.power(operand, *exponent);
    return packer.polynomial(operand, cast<ckks::PolynomialOp>(op));
  }

  FailureOr<Packed> packWithConstant(PackedBuilder &packer, Operation *op) {
    bool isLeftSecret = isSecret(op->getOperand(0));
    Packed secret = values[op->getOperand(isLeftSecret ? 0 : 1)];
    auto clear = constantElements(op->getOperand(isLeftSecret ? 1 : 0));
    if (!clear)
      return op->emitError("has a clear operand that is not a constant"), failure();
    if (isa<arith::AddFOp>(op))
      return packer.addConstant(secret, *clear);
    if (isa<arith::MulFOp>(op))
      return packer.multiplyConstant(secret, *clear);
    if (isa<arith::SubFOp>(op)) {
      if (!isLeftSecret)
        return packer.addConstant(packer.negate(secret), *clear);
      for (double &element : *clear)
        element = -element;
      return packer.addConstant(secret, *clear);
    }
    if (!isLeftSecret)
      return op->emitError(
                 "division by a secret value; run approximate-nonlinear first, or multiply by a "
                 "polynomial approximation of the reciprocal"),
             failure();
    for (double &element : *clear) {
      if (element == 0)
        return op->emitError("division by a constant that has a zero"), failure();
      element = 1 / element;
    }
    return packer.multiplyConstant(secret, *clear);
  }

  FailureOr<Packed> packMovement(PackedBuilder &packer, Operation *op) {
    if (!isSecret(op->getOperand(0)))
      return op->emitError() << "adds a secret destination to a clear sum; use arith.addf",
             failure();
    std::vector<PackedBuilder::Term> terms;
    forEachTerm(op, [&](int64_t out, int64_t in) { terms.push_back({out, in, 1.0}); });
    return addInit(
        packer, op,
        packer.linearMap(values[op->getOperand(0)], shapeVector(op->getResult(0)), terms));
  }

  FailureOr<Packed> packProduct(PackedBuilder &packer, Operation *op) {
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    if (isSecret(lhs) && isSecret(rhs)) {
      if (!isa<linalg::DotOp>(op))
        return op->emitError()
                   << "operation '" << op->getName()
                   << "' needs one clear operand; of two secret ones only linalg.dot is supported",
               failure();
      Packed product =
          lhs == rhs ? packer.square(values[lhs]) : packer.multiply(values[lhs], values[rhs]);
      return addInit(packer, op, packer.sumElements(product));
    }
    bool isLeftSecret = isSecret(lhs);
    auto clear = constantElements(isLeftSecret ? rhs : lhs);
    if (!clear || !(isLeftSecret || isSecret(rhs)))
      return op->emitError("has a clear operand that is not a constant, or no secret one"),
             failure();
    std::vector<PackedBuilder::Term> terms;
    forEachProduct(op, [&](int64_t out, int64_t a, int64_t b) {
      double weight = (*clear)[isLeftSecret ? b : a];
      if (weight != 0)
        terms.push_back({out, isLeftSecret ? a : b, weight});
    });
    return addInit(
        packer, op,
        packer.linearMap(values[isLeftSecret ? lhs : rhs], shapeVector(op->getResult(0)), terms));
  }

  /// Adds the destination of a sum, which is usually zero.
  FailureOr<Packed> addInit(PackedBuilder &packer, Operation *op, Packed result) {
    Value init = initOf(op);
    if (!init || init.getDefiningOp<tensor::EmptyOp>())
      return result;
    if (isSecret(init))
      return packer.add(result, values[init]);
    auto clear = constantElements(init);
    assert(clear && "pack refuses what makes other clear values");
    return llvm::all_of(*clear, [](double element) { return element == 0; })
               ? result
               : packer.addConstant(result, *clear);
  }

  FailureOr<Packed> packFromElements(PackedBuilder &packer, Operation *op) {
    Shape shape = shapeVector(op->getResult(0));
    std::vector<Packed> secrets;
    std::vector<int64_t> positions;
    std::vector<double> clear(op->getNumOperands(), 0.0);
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      if (isSecret(operand)) {
        secrets.push_back(values[operand]);
        positions.push_back(int64_t(index));
      } else if (auto elements = constantElements(operand)) {
        clear[index] = elements->front();
      } else {
        return op->emitError("has a clear operand that is not a constant"), failure();
      }
    }
    Packed gathered = packer.gather(secrets, positions, shape);
    bool hasClear = llvm::any_of(clear, [](double element) { return element != 0; });
    return hasClear ? packer.addConstant(gathered, clear) : gathered;
  }

  func::FuncOp traced;
  int64_t wantedBatch;
  int64_t lanes = 1, batch = 1, slots = 1;
  DenseMap<Value, Packed> values;
};

struct PackTensors : impl::PackTensorsBase<PackTensors> {
  using PackTensorsBase::PackTensorsBase;

  void runOnOperation() override {
    auto function = findEntryFunction(getOperation());
    if (failed(function))
      return signalPassFailure();
    int64_t wanted = batch;
    if (auto attribute = (*function)->getAttrOfType<IntegerAttr>(ckks::batchAttrName);
        attribute && wanted == 0)
      wanted = attribute.getInt();
    auto packedSlots = Packer(*function, wanted).run();
    if (failed(packedSlots))
      return signalPassFailure();
    getOperation()->setAttr(ckks::slotsAttrName,
                            Builder(&getContext()).getI64IntegerAttr(*packedSlots));
    slotsUsed = *packedSlots;
  }
};

} // namespace
} // namespace sluice
