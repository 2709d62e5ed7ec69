//===- CKKSToRNS.cpp - ciphertexts become residue polynomials ---------------------------------===//
//
// The only bridge between the two dialects. A ciphertext of size s is s polynomials in evaluation
// form over the limbs of its level; every operation of the settled ckks stage becomes arithmetic on
// them, and key switches, as decompose - inner_product - mod_down (docs/mathematics.md section 3).
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/CKKS/CKKSOps.h"
#include "dialects/RNS/RNSOps.h"
#include "passes/Passes.h"
#include "passes/ProgramAttributes.h"
#include "passes/SettledProgram.h"
#include "passes/algorithms/ScaleValue.h"
#include "runtime/ring/galois.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Transforms/DialectConversion.h"

#include <complex>

using namespace mlir;

namespace sluice {

#define GEN_PASS_DEF_CKKSTORNS
#include "passes/Passes.h.inc"

namespace {

std::span<const uint64_t> limbTable(ckks::ParamsAttr params) {
  return {params.getLimbs().data(), params.getLimbs().size()};
}

rns::PolyType polyTypeAt(ckks::ParamsAttr params, int64_t level) {
  return rns::PolyType::get(params.getContext(), params.getLevel(level), rns::Form::Eval);
}

class CiphertextConverter : public TypeConverter {
public:
  explicit CiphertextConverter(ckks::ParamsAttr params) {
    addConversion([](Type type) { return type; });
    addConversion(
        [params](ckks::CtType type, SmallVectorImpl<Type> &types) -> std::optional<LogicalResult> {
          if (type.isFloating())
            return failure();
          types.append(type.getSize(), polyTypeAt(params, type.getLevel()));
          return success();
        });
  }
};

// --- Patterns -----------------------------------------------------------------------------------

/// What all patterns share. `polys` of an operand are its polynomials, c0 first.
template <typename Op> class Lowering : public OpConversionPattern<Op> {
public:
  Lowering(const TypeConverter &converter, ckks::ParamsAttr params)
      : OpConversionPattern<Op>(converter, params.getContext()), params(params) {}

protected:
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;

  static ckks::CtType ctType(Value value) { return cast<ckks::CtType>(value.getType()); }
  static rns::PolyType polyType(Value poly) { return cast<rns::PolyType>(poly.getType()); }

  static LogicalResult replace(ConversionPatternRewriter &rewriter, Op op, ArrayRef<Value> polys) {
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{ValueRange(polys)});
    return success();
  }

  /// Switches `poly`, which decrypts under the secret that `key` starts from, to the one that it
  /// leads to: what to add to c0, and c1.
  std::pair<Value, Value> switchKey(OpBuilder &builder, Location loc, Value poly, rns::KeyKind kind,
                                    IntegerAttr element = {}) const {
    Value key =
        rns::KeyOp::create(builder, loc, rns::KeyType::get(builder.getContext()),
                           rns::KeyKindAttr::get(builder.getContext(), kind), element, UnitAttr());
    ArrayRef<int64_t> special = params.getSpecialOf(kind == rns::KeyKind::ToEphemeral);
    SmallVector<int64_t> extended(polyType(poly).getLimbs());
    llvm::append_range(extended, special);
    Value digits = rns::DecomposeOp::create(builder, loc, poly);
    auto product = rns::InnerProductOp::create(builder, loc, polyType(poly).withLimbs(extended),
                                               ValueRange(digits), key);
    Value b = rns::ModDownOp::create(builder, loc, product.getB(), special);
    Value a = rns::ModDownOp::create(builder, loc, product.getA(), special);
    return {b, a};
  }

  /// The residues of round(value * scale) for each limb of `type`; a warning on `op` when nothing
  /// of the value is left.
  SmallVector<int64_t> encodeScalar(Operation *op, rns::PolyType type, double value,
                                    const ckks::Scale &scale) const {
    ArrayRef<int64_t> limbs = type.getLimbs();
    algorithms::EncodedScalar encoded =
        algorithms::encodeScalar(value, scale, limbTable(params), {limbs.data(), limbs.size()});
    if (encoded.bits == 0 && value != 0)
      op->emitWarning("the value ") << value << " vanishes at scale " << scale.str();
    return SmallVector<int64_t>(encoded.residues.begin(), encoded.residues.end());
  }

  Value constant(OpBuilder &builder, Location loc, rns::PolyType type, rns::ConstantKind kind,
                 DenseElementsAttr values, const ckks::Scale &scale, int64_t ownSlots = 0,
                 Attribute generator = {}) const {
    algorithms::DoubleDouble value = algorithms::scaleValue(scale, limbTable(params));
    return rns::ConstantOp::create(
        builder, loc, type, rns::ConstantKindAttr::get(builder.getContext(), kind), values,
        builder.getStringAttr(scale.str()), builder.getF64FloatAttr(value.high),
        builder.getF64FloatAttr(value.low),
        ownSlots ? builder.getI64IntegerAttr(ownSlots) : IntegerAttr(), generator);
  }

  ckks::ParamsAttr params;
};

/// add, sub: polynomial by polynomial.
template <typename Op, typename RnsOp> struct SumLowering : Lowering<Op> {
  using Lowering<Op>::Lowering;

  LogicalResult matchAndRewrite(Op op, typename Lowering<Op>::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> sums;
    for (auto [lhs, rhs] : llvm::zip_equal(adaptor.getLhs(), adaptor.getRhs()))
      sums.push_back(RnsOp::create(rewriter, op.getLoc(), lhs.getType(), lhs, rhs));
    return this->replace(rewriter, op, sums);
  }
};

struct NegateLowering : Lowering<ckks::NegateOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::NegateOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> negated;
    for (Value poly : adaptor.getInput())
      negated.push_back(rns::NegateOp::create(rewriter, op.getLoc(), poly.getType(), poly));
    return replace(rewriter, op, negated);
  }
};

/// (a0, a1) (b0, b1) = (a0 b0, a0 b1 + a1 b0, a1 b1).
struct MulLowering : Lowering<ckks::MulOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::MulOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange a = adaptor.getLhs(), b = adaptor.getRhs();
    Type type = a[0].getType();
    Value d0 = rns::MulOp::create(rewriter, loc, type, a[0], b[0]);
    Value cross = rns::MulOp::create(rewriter, loc, type, a[0], b[1]);
    Value d1 = rns::MacOp::create(rewriter, loc, type, cross, a[1], b[0]);
    Value d2 = rns::MulOp::create(rewriter, loc, type, a[1], b[1]);
    return replace(rewriter, op, {d0, d1, d2});
  }
};

/// (a0, a1)^2 = (a0^2, 2 a0 a1, a1^2): one product less, the doubling being a sum.
struct SquareLowering : Lowering<ckks::SquareOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::SquareOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange a = adaptor.getInput();
    Type type = a[0].getType();
    Value d0 = rns::MulOp::create(rewriter, loc, type, a[0], a[0]);
    Value cross = rns::MulOp::create(rewriter, loc, type, a[0], a[1]);
    Value d1 = rns::AddOp::create(rewriter, loc, type, cross, cross);
    Value d2 = rns::MulOp::create(rewriter, loc, type, a[1], a[1]);
    return replace(rewriter, op, {d0, d1, d2});
  }
};

struct RelinearizeLowering : Lowering<ckks::RelinearizeOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::RelinearizeOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange c = adaptor.getInput();
    Type type = c[0].getType();
    auto [b, a] = switchKey(rewriter, loc, c[2], rns::KeyKind::Relinearize);
    Value c0 = rns::AddOp::create(rewriter, loc, type, c[0], b);
    Value c1 = rns::AddOp::create(rewriter, loc, type, c[1], a);
    return replace(rewriter, op, {c0, c1});
  }
};

/// sigma_g of both halves, then the second is switched from sigma_g(s) back to s.
template <typename Op> struct AutomorphismLowering : Lowering<Op> {
  using Lowering<Op>::Lowering;

  LogicalResult matchAndRewrite(Op op, typename Lowering<Op>::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange c = adaptor.getInput();
    Type type = c[0].getType();
    IntegerAttr element = rewriter.getI64IntegerAttr(elementOf(op));
    // A rotation by a multiple of the slots moves nothing.
    if (element.getInt() == 1)
      return this->replace(rewriter, op, {c[0], c[1]});
    Value sigma0 = rns::AutomorphismOp::create(rewriter, loc, type, c[0], element);
    Value sigma1 = rns::AutomorphismOp::create(rewriter, loc, type, c[1], element);
    auto [b, a] = this->switchKey(rewriter, loc, sigma1, rns::KeyKind::Galois, element);
    Value c0 = rns::AddOp::create(rewriter, loc, type, sigma0, b);
    return this->replace(rewriter, op, {c0, a});
  }

private:
  /// The content repeats every so many slots, so rotations are taken modulo that.
  int64_t elementOf(ckks::RotateOp op) const {
    int64_t slots = op.getInput().getType().getSlots(this->params);
    int64_t steps = static_cast<int64_t>(op.getBy()) % slots;
    return ring::rotationElement(this->params.getLogN(), steps < 0 ? steps + slots : steps);
  }
  int64_t elementOf(ckks::ConjugateOp) const {
    return ring::conjugationElement(this->params.getLogN());
  }
};

/// rescale, drop_level: the polynomials over the limbs of the new level.
template <typename Op, typename RnsOp> struct LevelLowering : Lowering<Op> {
  using Lowering<Op>::Lowering;

  LogicalResult matchAndRewrite(Op op, typename Lowering<Op>::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = polyTypeAt(this->params, this->ctType(op.getResult()).getLevel());
    SmallVector<Value> polys;
    for (Value poly : adaptor.getInput())
      polys.push_back(RnsOp::create(rewriter, op.getLoc(), type, poly));
    return this->replace(rewriter, op, polys);
  }
};

/// The centred lift of both polynomials; limbs that both levels have keep their residues.
struct ModRaiseLowering : Lowering<ckks::ModRaiseOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::ModRaiseOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    rns::PolyType type = polyTypeAt(params, ctType(op.getResult()).getLevel());
    SmallVector<int64_t> kept, others;
    for (int64_t limb : type.getLimbs())
      (llvm::is_contained(polyType(adaptor.getInput()[0]).getLimbs(), limb) ? kept : others)
          .push_back(limb);
    SmallVector<Value> polys;
    for (Value poly : adaptor.getInput()) {
      Value lifted = rns::InttOp::create(rewriter, loc, poly);
      lifted =
          rns::BaseConvertOp::create(rewriter, loc, polyType(lifted).withLimbs(others), lifted);
      lifted = rns::NttOp::create(rewriter, loc, lifted);
      if (!kept.empty()) {
        Value own = rns::takeLimbs(rewriter, loc, poly, kept);
        lifted = rns::ConcatOp::create(rewriter, loc, ValueRange{own, lifted});
      }
      polys.push_back(rns::takeLimbs(rewriter, loc, lifted, type.getLimbs()));
    }
    return replace(rewriter, op, polys);
  }
};

/// The second polynomial is switched, the first one goes along.
struct SwitchKeyLowering : Lowering<ckks::SwitchKeyOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::SwitchKeyOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ValueRange c = adaptor.getInput();
    bool leadsToEphemeral = ctType(op.getResult()).isEphemeral();
    auto [b, a] = switchKey(rewriter, loc, c[1],
                            leadsToEphemeral ? rns::KeyKind::ToEphemeral : rns::KeyKind::ToMain);
    Value c0 = rns::AddOp::create(rewriter, loc, c[0].getType(), c[0], b);
    return replace(rewriter, op, {c0, a});
  }
};

/// The factor K = round(S / s), as residues.
struct AdjustScaleLowering : Lowering<ckks::AdjustScaleOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::AdjustScaleOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<ckks::Natural> factor = ckks::roundRatio(op.getRatio(), limbTable(params));
    if (!factor) // verifySettled says it of the program
      return failure();
    SmallVector<int64_t> residues;
    for (int64_t limb : polyType(adaptor.getInput()[0]).getLimbs())
      residues.push_back(static_cast<int64_t>(factor->residue(params.getLimbs()[limb])));
    SmallVector<Value> polys;
    for (Value poly : adaptor.getInput())
      polys.push_back(
          rns::MulScalarOp::create(rewriter, op.getLoc(), poly.getType(), poly, residues));
    return replace(rewriter, op, polys);
  }
};

/// Metadata only: the raw value stays.
template <typename Op> struct ViewLowering : Lowering<Op> {
  using Lowering<Op>::Lowering;

  LogicalResult matchAndRewrite(Op op, typename Lowering<Op>::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return this->replace(rewriter, op, llvm::to_vector(adaptor.getInput()));
  }
};

/// The imaginary unit in every slot at scale 1 is X^(N/2), exactly.
struct MulByILowering : Lowering<ckks::MulByIOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::MulByIOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rns::PolyType type = polyType(adaptor.getInput()[0]);
    auto unit = DenseElementsAttr::get(RankedTensorType::get({2}, rewriter.getF64Type()),
                                       ArrayRef<double>{0.0, 1.0});
    Value factor =
        constant(rewriter, op.getLoc(), type, rns::ConstantKind::ComplexSlots, unit, ckks::Scale());
    SmallVector<Value> polys;
    for (Value poly : adaptor.getInput())
      polys.push_back(rns::MulOp::create(rewriter, op.getLoc(), type, poly, factor));
    return replace(rewriter, op, polys);
  }
};

/// A plaintext is added to c0 alone, at the ciphertext's scale.
struct AddPlainLowering : Lowering<ckks::AddPlainOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::AddPlainOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> polys = llvm::to_vector(adaptor.getInput());
    Value plain =
        constant(rewriter, op.getLoc(), polyType(polys[0]), rns::ConstantKind::Slots, op.getValue(),
                 ctType(op.getInput()).getScale(), ctType(op.getInput()).getOwnSlots());
    polys[0] = rns::AddOp::create(rewriter, op.getLoc(), polys[0].getType(), polys[0], plain);
    return replace(rewriter, op, polys);
  }
};

/// Complex elements as twice as many real ones.
DenseElementsAttr asPairs(DenseElementsAttr values) {
  SmallVector<double> pairs;
  for (std::complex<double> value : values.getValues<std::complex<double>>())
    pairs.append({value.real(), value.imag()});
  auto type = RankedTensorType::get(int64_t(pairs.size()), Float64Type::get(values.getContext()));
  return DenseElementsAttr::get(type, ArrayRef<double>(pairs));
}

struct MulPlainLowering : Lowering<ckks::MulPlainOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::MulPlainOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rns::PolyType type = polyType(adaptor.getInput()[0]);
    bool isComplex = ckks::isComplex(op.getValue());
    Value plain =
        constant(rewriter, op.getLoc(), type,
                 isComplex ? rns::ConstantKind::ComplexSlots : rns::ConstantKind::Slots,
                 isComplex ? asPairs(op.getValue()) : op.getValue(), op.getScaleAttr().getValue(),
                 ctType(op.getInput()).getOwnSlots(), op.getGeneratorAttr());
    SmallVector<Value> polys;
    for (Value poly : adaptor.getInput())
      polys.push_back(rns::MulOp::create(rewriter, op.getLoc(), type, poly, plain));
    return replace(rewriter, op, polys);
  }
};

/// A number in every slot is the constant polynomial: one integer, added to c0.
struct AddScalarLowering : Lowering<ckks::AddScalarOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::AddScalarOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> polys = llvm::to_vector(adaptor.getInput());
    rns::PolyType type = polyType(polys[0]);
    SmallVector<int64_t> residues =
        encodeScalar(op, type, op.getValue().convertToDouble(), ctType(op.getInput()).getScale());
    polys[0] = rns::AddScalarOp::create(rewriter, op.getLoc(), type, polys[0], residues);
    return replace(rewriter, op, polys);
  }
};

struct MulScalarLowering : Lowering<ckks::MulScalarOp> {
  using Lowering::Lowering;

  LogicalResult matchAndRewrite(ckks::MulScalarOp op, Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rns::PolyType type = polyType(adaptor.getInput()[0]);
    SmallVector<int64_t> residues =
        encodeScalar(op, type, op.getValue().convertToDouble(), op.getScaleAttr().getValue());
    SmallVector<Value> polys;
    for (Value poly : adaptor.getInput())
      polys.push_back(rns::MulScalarOp::create(rewriter, op.getLoc(), type, poly, residues));
    return replace(rewriter, op, polys);
  }
};

void populatePatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                      ckks::ParamsAttr params) {
  patterns.add<
      SumLowering<ckks::AddOp, rns::AddOp>, SumLowering<ckks::SubOp, rns::SubOp>, NegateLowering,
      MulLowering, SquareLowering, RelinearizeLowering, AutomorphismLowering<ckks::RotateOp>,
      AutomorphismLowering<ckks::ConjugateOp>, LevelLowering<ckks::RescaleOp, rns::RescaleOp>,
      LevelLowering<ckks::DropLevelOp, rns::DropOp>, ModRaiseLowering, SwitchKeyLowering,
      AdjustScaleLowering, ViewLowering<ckks::ReinterpretOp>, ViewLowering<ckks::ViewSlotsOp>,
      MulByILowering, AddPlainLowering, MulPlainLowering, AddScalarLowering, MulScalarLowering>(
      converter, params);
  populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
}

// --- The pass -----------------------------------------------------------------------------------

struct CKKSToRNS : impl::CKKSToRNSBase<CKKSToRNS> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto params = module->getAttrOfType<ckks::ParamsAttr>(ckks::paramsAttrName);
    if (!params) {
      module.emitError("the module has no 'ckks.params'; run select-parameters first");
      return signalPassFailure();
    }
    func::FuncOp function = findProgram(module);
    if (!function || failed(verifySettled(function, params)))
      return signalPassFailure();
    recordSignature(function, params);

    ConversionTarget target(getContext());
    target.addIllegalDialect<ckks::CKKSDialect>();
    target.addLegalDialect<rns::RNSDialect>();
    target.addLegalOp<ModuleOp>();
    CiphertextConverter converter(params);
    target.addDynamicallyLegalOp<func::FuncOp>(
        [&](func::FuncOp op) { return converter.isSignatureLegal(op.getFunctionType()); });
    target.addDynamicallyLegalOp<func::ReturnOp>(
        [&](func::ReturnOp op) { return converter.isLegal(op.getOperandTypes()); });
    RewritePatternSet patterns(&getContext());
    populatePatterns(patterns, converter, params);
    // Folding is canonicalization's business; here it would lower what a fold leaves dead.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyFullConversion(module, target, std::move(patterns), config)))
      return signalPassFailure();
    module->setAttr(rns::ringAttrName,
                    rns::RingAttr::get(&getContext(), params.getLogN(), params.getLimbs()));
  }
};

} // namespace

} // namespace sluice
