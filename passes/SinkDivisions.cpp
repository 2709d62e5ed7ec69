//===- SinkDivisions.cpp - one division by P for a whole sum ----------------------------------===//
//
// Each value is computed either *plain*, over its limbs, or *lifted*: times P and over the limbs of
// P as well, the form in which key switches leave it. Which values are lifted is the cheapest cut
// of the graph that DivisionGraph draws; Rewriter carries it out. Rules: docs/rationale/rns.md;
// docs/mathematics.md 4.1 and 16.3.
//
//===------------------------------------------------------------------------------------------===//

#include "dialects/RNS/RNSOps.h"
#include "passes/CostsAttribute.h"
#include "passes/Passes.h"
#include "passes/algorithms/CostModel.h"
#include "passes/algorithms/MinimumCut.h"
#include "passes/algorithms/Residues.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using sluice::algorithms::MinimumCut;

namespace sluice {

#define GEN_PASS_DEF_SINKDIVISIONS
#include "passes/Passes.h.inc"

namespace {

rns::PolyType polyType(Value poly) { return cast<rns::PolyType>(poly.getType()); }

bool isConstant(Value value) { return static_cast<bool>(value.getDefiningOp<rns::ConstantOp>()); }

SmallVector<int64_t> joined(ArrayRef<int64_t> limbs, ArrayRef<int64_t> special) {
  SmallVector<int64_t> all(limbs);
  llvm::append_range(all, special);
  return all;
}

bool intersects(ArrayRef<int64_t> limbs, ArrayRef<int64_t> special) {
  return llvm::any_of(limbs, [&](int64_t limb) { return llvm::is_contained(special, limb); });
}

/// The operands that are lifted when the result of `op` is: none when it has no lifted form.
/// `special` are the limbs of P.
SmallVector<Value, 2> liftableOperands(Operation *op, ArrayRef<int64_t> special) {
  for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
    if (auto type = dyn_cast<rns::PolyType>(value.getType());
        type && !isa<rns::ModDownOp>(op) &&
        (type.isCoeff() || intersects(type.getLimbs(), special)))
      return {};
  return llvm::TypeSwitch<Operation *, SmallVector<Value, 2>>(op)
      .Case<rns::NegateOp, rns::MulScalarOp, rns::AddScalarOp, rns::DropOp, rns::RescaleOp>(
          [](auto op) { return SmallVector<Value, 2>{op.getInput()}; })
      .Case([](rns::AutomorphismOp op) {
        return isa<rns::PolyType>(op.getType()) ? SmallVector<Value, 2>{op.getInput()}
                                                : SmallVector<Value, 2>();
      })
      .Case([](rns::MulOp op) {
        if (isConstant(op.getLhs()) == isConstant(op.getRhs()))
          return SmallVector<Value, 2>();
        return SmallVector<Value, 2>{isConstant(op.getLhs()) ? op.getRhs() : op.getLhs()};
      })
      .Case<rns::AddOp, rns::SubOp>([](auto op) {
        if (isConstant(op.getLhs()) || isConstant(op.getRhs()))
          return SmallVector<Value, 2>();
        return SmallVector<Value, 2>{op.getLhs(), op.getRhs()};
      })
      .Default(SmallVector<Value, 2>());
}

/// A mod_down by `special` whose operand has the limbs of P last, where lifted values have them.
bool isSource(Operation *op, ArrayRef<int64_t> special) {
  auto modDown = dyn_cast<rns::ModDownOp>(op);
  return modDown && modDown.getBy() == special && modDown.getType().isEval() &&
         polyType(modDown.getInput()).getLimbs() ==
             ArrayRef<int64_t>(joined(modDown.getType().getLimbs(), special));
}

// --- The choice ---------------------------------------------------------------------------------

/// The graph whose cheapest cut says what is lifted: the source's side. Costs are times per
/// coefficient.
class DivisionGraph {
public:
  DivisionGraph(Block &block, rns::RingAttr ring, ArrayRef<int64_t> special, const CostTable &table)
      : ring(ring), special(special), costs(algorithms::kernelCosts(table, ring.getLogN())) {
    for (Operation &op : block)
      if (isSource(&op, special) || !liftableOperands(&op, special).empty())
        addOperation(&op);
    for (auto [op, node] : nodes)
      connect(op, node);
    graph.solve();
  }

  bool isLifted(Operation *op) const {
    auto found = nodes.find(op);
    return found != nodes.end() && graph.isOnSourceSide(found->second);
  }

private:
  /// Lifted, so that a plain use costs a division; `divided` stands for that division having been
  /// avoided.
  void addOperation(Operation *op) {
    MinimumCut::Node node = graph.addNode(), divided = graph.addNode();
    nodes.insert({op, node});
    dividedNodes.insert({op, divided});
    if (!isa<rns::RescaleOp>(op))
      graph.addEdge(node, divided,
                    divisionCost(special.size(), polyType(op->getResult(0)).getNumLimbs()));
    for (Operation *user : op->getUsers())
      if (isSource(user, special) || liftableOperands(user, special).empty())
        graph.addEdge(divided, MinimumCut::sink, MinimumCut::unbounded);
  }

  void connect(Operation *op, MinimumCut::Node node) {
    if (isSource(op, special))
      return graph.addEdge(MinimumCut::source, node, MinimumCut::unbounded);
    graph.addEdge(node, MinimumCut::sink, liftedExtra(op));
    SmallVector<Value, 2> operands = liftableOperands(op, special);
    for (Value operand : operands) {
      auto definition = nodes.find(operand.getDefiningOp());
      bool hasNode = definition != nodes.end() && !isa<rns::RescaleOp>(definition->first);
      // Only a sum may lift an operand that is plain: it multiplies it by P.
      int64_t lift = operands.size() == 1 ? MinimumCut::unbounded
                                          : elementwiseCost(polyType(operand).getNumLimbs());
      graph.addEdge(node, hasNode ? definition->second : MinimumCut::sink, lift);
      if (hasNode)
        graph.addEdge(dividedNodes.lookup(operand.getDefiningOp()), node, MinimumCut::unbounded);
    }
  }

  /// What `op` costs more when it is lifted.
  int64_t liftedExtra(Operation *op) const {
    if (isa<rns::DropOp>(op))
      return 0;
    if (auto rescale = dyn_cast<rns::RescaleOp>(op)) {
      ArrayRef<int64_t> from = polyType(rescale.getInput()).getLimbs(),
                        to = rescale.getType().getLimbs();
      unsigned dropped =
          llvm::count_if(from, [&](int64_t limb) { return !llvm::is_contained(to, limb); });
      return divisionCost(dropped + special.size(), to.size()) - divisionCost(dropped, to.size());
    }
    return elementwiseCost(special.size());
  }

  int64_t divisionCost(unsigned dropped, unsigned kept) const {
    return perCoefficient(algorithms::divideWork(ring.getLogN(), dropped, kept));
  }
  int64_t elementwiseCost(unsigned limbs) const {
    return perCoefficient({std::ldexp(double(limbs), ring.getLogN()), 0});
  }
  /// Femtoseconds.
  int64_t perCoefficient(const algorithms::Work &work) const {
    return std::llround(std::ldexp(1e6 * work.latencyNs(costs), -int(ring.getLogN())));
  }

  rns::RingAttr ring;
  ArrayRef<int64_t> special;
  algorithms::KernelCosts costs;
  MinimumCut graph;
  llvm::MapVector<Operation *, MinimumCut::Node> nodes;
  llvm::DenseMap<Operation *, MinimumCut::Node> dividedNodes;
};

// --- Carrying it out ----------------------------------------------------------------------------

class Rewriter {
public:
  Rewriter(Block &block, rns::RingAttr ring, ArrayRef<int64_t> special, const DivisionGraph &choice)
      : ring(ring), special(special), builder(ring.getContext()) {
    for (int64_t limb : special)
      specialPrimes.push_back(ring.getPrimes()[limb]);
    for (Operation &op : block)
      if (choice.isLifted(&op))
        chosen.insert(&op);
  }

  void run() {
    for (Operation *op : chosen) {
      builder.setInsertionPointAfter(op);
      if (auto rescale = dyn_cast<rns::RescaleOp>(op)) {
        Value merged = rns::RescaleOp::create(builder, op->getLoc(), rescale.getType(),
                                              lift(rescale.getInput()));
        rescale.getResult().replaceAllUsesWith(merged);
        ++merges;
        continue;
      }
      Value lifted = isSource(op, special) ? op->getOperand(0) : rebuild(op);
      liftedOf[op->getResult(0)] = lifted;
      dividePlainUses(op, lifted);
    }
    for (Operation *op : llvm::reverse(chosen))
      if (op->use_empty())
        op->erase();
  }

  unsigned mergedRescales() const { return merges; }

private:
  /// Uses of the result that stay plain read one division of it.
  void dividePlainUses(Operation *op, Value lifted) {
    auto isPlain = [&](OpOperand &use) { return !chosen.contains(use.getOwner()); };
    Value result = op->getResult(0);
    if (isSource(op, special) || llvm::none_of(result.getUses(), isPlain))
      return;
    Value divided = rns::ModDownOp::create(builder, op->getLoc(), lifted, special);
    result.replaceUsesWithIf(divided, isPlain);
  }

  bool isLifted(Value value) const { return liftedOf.contains(value); }

  /// The lifted form of a value that has one: made when its operation was met.
  Value lift(Value value) const { return liftedOf.lookup(value); }

  Value rebuild(Operation *op) {
    Location loc = op->getLoc();
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](rns::NegateOp op) {
          Value input = lift(op.getInput());
          return rns::NegateOp::create(builder, loc, input.getType(), input);
        })
        .Case([&](rns::AutomorphismOp op) {
          Value input = lift(op.getInput());
          return rns::AutomorphismOp::create(builder, loc, input.getType(), input, op.getElement());
        })
        .Case([&](rns::DropOp op) {
          return rns::DropOp::create(builder, loc, lift(op.getInput()),
                                     joined(op.getType().getLimbs(), special));
        })
        .Case([&](rns::MulScalarOp op) {
          Value input = lift(op.getInput());
          return rns::MulScalarOp::create(builder, loc, input.getType(), input, extendScalars(op));
        })
        .Case([&](rns::AddScalarOp op) {
          Value input = lift(op.getInput());
          return rns::AddScalarOp::create(builder, loc, input.getType(), input, timesP(op));
        })
        .Case([&](rns::MulOp op) { return multiplyByConstant(op); })
        .Case([&](rns::AddOp op) { return sum<rns::AddOp>(op); })
        .Case([&](rns::SubOp op) { return sum<rns::SubOp>(op); });
  }

  Value multiplyByConstant(rns::MulOp op) {
    bool isLeft = isConstant(op.getLhs());
    auto constant = (isLeft ? op.getLhs() : op.getRhs()).getDefiningOp<rns::ConstantOp>();
    Value input = lift(isLeft ? op.getRhs() : op.getLhs());
    Value extended = rns::ConstantOp::create(
        builder, constant.getLoc(), input.getType(), constant.getKindAttr(), constant.getValues(),
        constant.getScaleAttr(), constant.getHighAttr(), constant.getLowAttr(),
        constant.getSlotsAttr(), constant.getGeneratorAttr());
    return rns::MulOp::create(builder, op.getLoc(), input.getType(), input, extended);
  }

  /// Both lifted, or one lifted that absorbs P times the other.
  template <typename Op> Value sum(Op op) {
    Location loc = op.getLoc();
    Value lhs = op.getLhs(), rhs = op.getRhs();
    lhs = isLifted(lhs) ? lift(lhs) : timesP(lhs);
    rhs = isLifted(rhs) ? lift(rhs) : timesP(rhs);
    return Op::create(builder, loc, lhs.getType(), lhs, rhs);
  }

  /// P times a plain value, which is 0 on the limbs of P; once for all that absorb it.
  Value timesP(Value plain) {
    Value &product = productWithP[plain];
    if (!product) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointAfterValue(plain);
      SmallVector<int64_t> scalars;
      for (int64_t limb : polyType(plain).getLimbs())
        scalars.push_back(int64_t(algorithms::productMod(specialPrimes, ring.getPrimes()[limb])));
      Value own =
          rns::MulScalarOp::create(builder, plain.getLoc(), plain.getType(), plain, scalars);
      Value zero = rns::ZeroOp::create(builder, plain.getLoc(), polyType(plain).withLimbs(special));
      product = rns::ConcatOp::create(builder, plain.getLoc(), ValueRange{own, zero});
    }
    return product;
  }

  /// The scalars times P: 0 on the limbs of P.
  SmallVector<int64_t> timesP(rns::AddScalarOp op) {
    SmallVector<int64_t> scalars;
    for (auto [scalar, limb] :
         llvm::zip_equal(op.getScalars(), polyType(op.getResult()).getLimbs())) {
      uint64_t q = ring.getPrimes()[limb];
      scalars.push_back(
          int64_t(algorithms::mulMod(scalar, algorithms::productMod(specialPrimes, q), q)));
    }
    scalars.append(special.size(), 0);
    return scalars;
  }

  /// The integer itself, which is small beside the modulus, modulo P's limbs too.
  SmallVector<int64_t> extendScalars(rns::MulScalarOp op) {
    SmallVector<int64_t> scalars(op.getScalars());
    std::vector<uint64_t> residues, primes;
    for (auto [scalar, limb] :
         llvm::zip_equal(op.getScalars(), polyType(op.getResult()).getLimbs())) {
      residues.push_back(uint64_t(scalar));
      primes.push_back(ring.getPrimes()[limb]);
    }
    for (uint64_t p : specialPrimes)
      scalars.push_back(int64_t(algorithms::centredResidue(residues, primes, p)));
    return scalars;
  }

  rns::RingAttr ring;
  ArrayRef<int64_t> special;
  OpBuilder builder;
  SmallVector<uint64_t> specialPrimes;
  llvm::SetVector<Operation *> chosen; // in the order of the block
  llvm::DenseMap<Value, Value> liftedOf, productWithP;
  unsigned merges = 0;
};

// --- The pass -----------------------------------------------------------------------------------

struct SinkDivisions : impl::SinkDivisionsBase<SinkDivisions> {
  void runOnOperation() override {
    rns::RingAttr ring = rns::findRing(getOperation());
    FailureOr<CostTable> costs = readCosts(getOperation());
    if (failed(costs))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        unsigned before = count(block);
        if (before > 0 && !ring) {
          function.emitError(
              "the module has no 'rns.ring', whose primes the factors are computed from");
          return signalPassFailure();
        }
        for (DenseI64ArrayAttr special : divisors(block)) {
          DivisionGraph choice(block, ring, special.asArrayRef(), *costs);
          Rewriter rewriter(block, ring, special.asArrayRef(), choice);
          rewriter.run();
          merged += rewriter.mergedRescales();
        }
        removed += before - std::min(before, count(block));
      }
  }

private:
  static unsigned count(Block &block) { return llvm::range_size(block.getOps<rns::ModDownOp>()); }

  /// The different lists of limbs that the block divides by.
  static SmallVector<DenseI64ArrayAttr> divisors(Block &block) {
    SmallVector<DenseI64ArrayAttr> lists;
    for (auto op : block.getOps<rns::ModDownOp>())
      if (!llvm::is_contained(lists, op.getByAttr()))
        lists.push_back(op.getByAttr());
    return lists;
  }
};

} // namespace

} // namespace sluice
