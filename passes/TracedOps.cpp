//===- TracedOps.cpp - the input language: what a traced program may contain ------------------===//

#include "passes/TracedOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace sluice {

FailureOr<func::FuncOp> findEntryFunction(ModuleOp module) {
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (entry) {
      auto error = module.emitError("a program has one public function; this module has several");
      error.attachNote(function.getLoc()) << "a second one is here";
      return failure();
    }
    entry = function;
  }
  if (!entry)
    return module.emitError("a program has one public function; this module has none"), failure();
  return entry;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> shapeOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

int64_t elementCountOf(Value value) { return ShapedType::getNumElements(shapeOf(value)); }

bool isReal(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.hasStaticShape() && tensor.getElementType().isF64();
  return type.isF64();
}

/// Distance in elements between neighbours along each dimension, row-major.
static SmallVector<int64_t> strides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape.size(), 1);
  for (size_t i = shape.size(); i > 1; --i)
    result[i - 2] = result[i - 1] * shape[i - 1];
  return result;
}

/// Calls body(index) for every index of `shape`, row-major.
static void forEachIndex(ArrayRef<int64_t> shape, function_ref<void(ArrayRef<int64_t>)> body) {
  SmallVector<int64_t> index(shape.size(), 0);
  for (int64_t count = ShapedType::getNumElements(shape); count > 0; --count) {
    body(index);
    for (size_t i = shape.size(); i > 0 && ++index[i - 1] == shape[i - 1]; --i)
      index[i - 1] = 0;
  }
}

static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t sum = 0;
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    sum += i * stride;
  return sum;
}

//===----------------------------------------------------------------------===//
// Movements
//===----------------------------------------------------------------------===//

bool isMovement(Operation *op) {
  return isa<linalg::BroadcastOp, linalg::TransposeOp, linalg::ReduceOp, tensor::ExtractSliceOp,
             tensor::ExtractOp, tensor::SplatOp, linalg::FillOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op);
}

using Term = function_ref<void(int64_t, int64_t)>;

static void forEachBroadcast(linalg::BroadcastOp op, Term term) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  SmallVector<int64_t> in = strides(shapeOf(op.getInput())), out = strides(shape);
  // Input strides in the output's dimensions, 0 along the added ones.
  SmallVector<int64_t> inStrides;
  for (size_t i = 0, next = 0; i < shape.size(); ++i)
    inStrides.push_back(llvm::is_contained(op.getDimensions(), int64_t(i)) ? 0 : in[next++]);
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    term(linearize(index, out), linearize(index, inStrides));
  });
}

static void forEachTranspose(linalg::TransposeOp op, Term term) {
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  SmallVector<int64_t> in = strides(shapeOf(op.getInput())), out = strides(shape), inStrides;
  for (int64_t dimension : op.getPermutation())
    inStrides.push_back(in[dimension]);
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    term(linearize(index, out), linearize(index, inStrides));
  });
}

static void forEachReduction(linalg::ReduceOp op, Term term) {
  ArrayRef<int64_t> shape = shapeOf(op.getInputs().front());
  SmallVector<int64_t> in = strides(shape), out = strides(shapeOf(op->getResult(0))), outStrides;
  for (size_t i = 0, next = 0; i < shape.size(); ++i)
    outStrides.push_back(llvm::is_contained(op.getDimensions(), int64_t(i)) ? 0 : out[next++]);
  forEachIndex(shape, [&](ArrayRef<int64_t> index) {
    term(linearize(index, outStrides), linearize(index, in));
  });
}

static void forEachSlice(tensor::ExtractSliceOp op, Term term) {
  SmallVector<int64_t> in = strides(shapeOf(op.getSource()));
  // Dimensions that the result drops have size 1, so that row-major order is the same.
  int64_t out = 0;
  forEachIndex(op.getStaticSizes(), [&](ArrayRef<int64_t> index) {
    int64_t position = 0;
    for (size_t i = 0; i < index.size(); ++i)
      position += (op.getStaticOffsets()[i] + index[i] * op.getStaticStrides()[i]) * in[i];
    term(out++, position);
  });
}

static void forEachExtract(tensor::ExtractOp op, Term term) {
  SmallVector<int64_t> index;
  for (Value operand : op.getIndices()) {
    IntegerAttr value;
    matchPattern(operand, m_Constant(&value));
    index.push_back(value.getInt());
  }
  term(0, linearize(index, strides(shapeOf(op.getTensor()))));
}

void forEachTerm(Operation *op, Term term) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](linalg::BroadcastOp op) { forEachBroadcast(op, term); })
      .Case([&](linalg::TransposeOp op) { forEachTranspose(op, term); })
      .Case([&](linalg::ReduceOp op) { forEachReduction(op, term); })
      .Case([&](tensor::ExtractSliceOp op) { forEachSlice(op, term); })
      .Case([&](tensor::ExtractOp op) { forEachExtract(op, term); })
      .Case<tensor::SplatOp, linalg::FillOp>([&](Operation *op) {
        for (int64_t out = 0; out < elementCountOf(op->getResult(0)); ++out)
          term(out, 0);
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](Operation *op) {
        for (int64_t out = 0; out < elementCountOf(op->getResult(0)); ++out)
          term(out, out);
      });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

bool isProduct(Operation *op) {
  return isa<linalg::DotOp, linalg::MatvecOp, linalg::VecmatOp, linalg::MatmulOp>(op);
}

void forEachProduct(Operation *op, function_ref<void(int64_t, int64_t, int64_t)> term) {
  ArrayRef<int64_t> lhs = shapeOf(op->getOperand(0)), rhs = shapeOf(op->getOperand(1));
  int64_t rows = lhs.size() == 2 ? lhs[0] : 1, inner = lhs.back();
  int64_t columns = rhs.size() == 2 ? rhs[1] : 1;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t i = 0; i < inner; ++i)
        term(row * columns + column, row * inner + i, i * columns + column);
}

Value initOf(Operation *op) {
  if (auto reduce = dyn_cast<linalg::ReduceOp>(op))
    return reduce.getInits().front();
  return isProduct(op) ? op->getOperand(2) : Value();
}

//===----------------------------------------------------------------------===//
// Constants and attributes
//===----------------------------------------------------------------------===//

std::optional<std::vector<double>> constantElements(Value value) {
  if (!isReal(value.getType()) || !value.getDefiningOp())
    return std::nullopt;
  size_t count = elementCountOf(value);
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    auto scalar = constantElements(fill.getInputs().front());
    return scalar ? std::optional(std::vector<double>(count, scalar->front())) : std::nullopt;
  }
  if (auto splat = value.getDefiningOp<tensor::SplatOp>()) {
    auto scalar = constantElements(splat.getInput());
    return scalar ? std::optional(std::vector<double>(count, scalar->front())) : std::nullopt;
  }
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto scalar = dyn_cast<FloatAttr>(attribute))
    return std::vector<double>{scalar.getValueAsDouble()};
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    auto elements = dense.getValues<double>();
    return std::vector<double>(elements.begin(), elements.end());
  }
  return std::nullopt;
}

std::optional<int64_t> exponentOf(Operation *op) {
  Attribute attribute;
  if (!isa<math::FPowIOp>(op) || !matchPattern(op->getOperand(1), m_Constant(&attribute)))
    return std::nullopt;
  std::optional<int64_t> exponent;
  if (auto scalar = dyn_cast<IntegerAttr>(attribute))
    exponent = scalar.getInt();
  else if (auto dense = dyn_cast<DenseIntElementsAttr>(attribute); dense && dense.isSplat())
    exponent = dense.getSplatValue<APInt>().getSExtValue();
  return exponent && *exponent >= 1 ? exponent : std::nullopt;
}

std::optional<Comparison> comparisonOf(arith::CmpFOp op) {
  using Predicate = arith::CmpFPredicate;
  Value lhs = op.getLhs(), rhs = op.getRhs();
  switch (op.getPredicate()) { // secret values are numbers: ordered or not is the same
  case Predicate::OGT:
  case Predicate::UGT:
    return Comparison{lhs, rhs, false};
  case Predicate::OGE:
  case Predicate::UGE:
    return Comparison{lhs, rhs, true};
  case Predicate::OLT:
  case Predicate::ULT:
    return Comparison{rhs, lhs, false};
  case Predicate::OLE:
  case Predicate::ULE:
    return Comparison{rhs, lhs, true};
  default:
    return std::nullopt;
  }
}

std::optional<algorithms::Interval> rangeOf(Attribute attribute) {
  auto array = dyn_cast_or_null<ArrayAttr>(attribute);
  if (!array || array.size() != 2)
    return std::nullopt;
  auto low = dyn_cast<FloatAttr>(array[0]), high = dyn_cast<FloatAttr>(array[1]);
  if (!low || !high)
    return std::nullopt;
  return algorithms::Interval(low.getValueAsDouble(), high.getValueAsDouble());
}

ArrayAttr rangeAttr(MLIRContext *context, algorithms::Interval range) {
  return Builder(context).getF64ArrayAttr({range.low, range.high});
}

FailureOr<algorithms::Interval> requireRange(Operation *op, Value value, StringRef name) {
  std::optional<algorithms::Interval> range = inferredRange(value);
  if (range && range->isFinite())
    return *range;
  return op->emitError() << "the range of the argument of " << name
                         << " is unknown; declare the ranges of the inputs, or promise one here "
                            "(range=(low, high))";
}

std::optional<algorithms::Interval> inferredRange(Value value) {
  if (auto elements = constantElements(value)) {
    algorithms::Interval range = elements->front();
    for (double element : *elements)
      range = algorithms::hull(range, element);
    return range;
  }
  if (Operation *producer = value.getDefiningOp())
    return rangeOf(producer->getAttr(ckks::rangeAttrName));
  auto argument = cast<BlockArgument>(value);
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto range = rangeOf(function.getArgAttr(argument.getArgNumber(), ckks::rangeAttrName));
  if (range && function->hasAttr(ckks::batchAttrName))
    range = algorithms::hull(*range, algorithms::Interval(0));
  return range;
}

std::string intervalText(algorithms::Interval interval) {
  return "[" + shortNumber(interval.low) + ", " + shortNumber(interval.high) + "]";
}

std::string shortNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.6g", value);
  return text;
}

/// The polynomial with the `part` of each coefficient.
static algorithms::Polynomial partOf(ckks::PolynomialOp op,
                                     double part(const std::complex<double> &)) {
  algorithms::Polynomial result;
  result.basis = op.getBasis() == ckks::Basis::Chebyshev ? algorithms::Basis::chebyshev
                                                         : algorithms::Basis::monomial;
  for (std::complex<double> coefficient : op.getComplexCoefficients())
    result.coefficients.push_back(part(coefficient));
  if (auto bounds = op.getIntervalBounds())
    result.interval = {bounds->first, bounds->second};
  return result;
}

algorithms::Polynomial toPolynomial(ckks::PolynomialOp op) { return partOf(op, std::real); }
algorithms::Polynomial toImaginaryPolynomial(ckks::PolynomialOp op) {
  return partOf(op, std::imag);
}

//===----------------------------------------------------------------------===//
// The language
//===----------------------------------------------------------------------===//

std::string supportedTracedOps() {
  return "arith.addf subf mulf divf negf maximumf minimumf cmpf select uitofp constant, math.exp "
         "tanh erf sqrt rsqrt absf fpowi, ckks.polynomial, linalg.dot matvec vecmat matmul reduce "
         "broadcast transpose fill, tensor.extract_slice extract from_elements splat empty "
         "expand_shape collapse_shape";
}

static bool isElementwise(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::CmpFOp, arith::SelectOp, arith::UIToFPOp,
             math::ExpOp, math::TanhOp, math::ErfOp, math::SqrtOp, math::RsqrtOp, math::AbsFOp,
             math::FPowIOp, ckks::PolynomialOp>(op);
}

/// The body of a reduction is one arith.addf of its two arguments.
static LogicalResult checkReduction(linalg::ReduceOp op) {
  Block &body = op.getCombiner().front();
  if (op.getInputs().size() == 1 && llvm::range_size(body.without_terminator()) == 1 &&
      isa<arith::AddFOp>(body.front()) &&
      llvm::all_of(body.front().getOperands(), llvm::IsaPred<BlockArgument>) &&
      body.front().getOperand(0) != body.front().getOperand(1))
    return success();
  return op.emitOpError("supports only sums of secret values: the combiner is not { arith.addf }");
}

static LogicalResult checkSlice(tensor::ExtractSliceOp op) {
  auto isDynamic = [](int64_t value) { return ShapedType::isDynamic(value); };
  if (llvm::any_of(op.getStaticOffsets(), isDynamic) ||
      llvm::any_of(op.getStaticSizes(), isDynamic) ||
      llvm::any_of(op.getStaticStrides(), isDynamic))
    return op.emitOpError("supports only constant offsets, sizes and strides");
  return success();
}

static LogicalResult checkExtract(tensor::ExtractOp op) {
  for (Value index : op.getIndices())
    if (!matchPattern(index, m_Constant()))
      return op.emitOpError("supports only constant indices");
  return success();
}

static LogicalResult checkPower(math::FPowIOp op) {
  if (exponentOf(op))
    return success();
  return op.emitOpError("supports only one constant exponent of at least 1");
}

static LogicalResult checkComparison(arith::CmpFOp op) {
  if (comparisonOf(op))
    return success();
  return op.emitOpError("supports only > >= < <=: values with noise are never equal");
}

/// What chooses between secret values, or becomes 0 and 1, is a comparison.
static LogicalResult checkTruth(Operation *op) {
  if (op->getOperand(0).getDefiningOp<arith::CmpFOp>())
    return success();
  return op->emitOpError("supports only the result of arith.cmpf as its condition");
}

LogicalResult checkTraced(Operation *op) {
  bool isKnown =
      isMovement(op) || isProduct(op) || isElementwise(op) ||
      isa<arith::ConstantOp, tensor::EmptyOp, tensor::FromElementsOp, func::ReturnOp>(op);
  if (!isKnown)
    return op->emitError() << "operation '" << op->getName()
                           << "' is not supported on secret values; supported are "
                           << supportedTracedOps();
  for (Value result : op->getResults())
    if (!isa<arith::ConstantOp>(op) && !isReal(result.getType()) &&
        !(isa<arith::CmpFOp>(op) && isReal(op->getOperand(0).getType())))
      return op->emitOpError() << "makes " << result.getType()
                               << "; secret values are f64 or static tensors of f64";
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([](linalg::ReduceOp op) { return checkReduction(op); })
      .Case([](tensor::ExtractSliceOp op) { return checkSlice(op); })
      .Case([](tensor::ExtractOp op) { return checkExtract(op); })
      .Case([](math::FPowIOp op) { return checkPower(op); })
      .Case([](arith::CmpFOp op) { return checkComparison(op); })
      .Case<arith::SelectOp, arith::UIToFPOp>([](Operation *op) { return checkTruth(op); })
      .Default([](Operation *) { return success(); });
}

} // namespace sluice
