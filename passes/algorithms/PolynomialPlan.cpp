//===- PolynomialPlan.cpp - depth-optimal evaluation of polynomials ---------------------------===//

#include "passes/algorithms/PolynomialPlan.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <set>
#include <utility>

namespace sluice::algorithms {

namespace {

using Coefficients = std::vector<Coefficient>;

unsigned ceilLog2(unsigned n) { return n <= 1 ? 0 : std::bit_width(n - 1); }

/// Levels that a leaf of degree d uses: its highest power, then the constant products.
unsigned leafDepth(unsigned degree) { return degree == 0 ? 0 : ceilLog2(degree) + 1; }

/// Drops trailing zeros, keeping at least the constant.
void trim(Coefficients &coefficients) {
  while (coefficients.size() > 1 && coefficients.back() == Coefficient(0))
    coefficients.pop_back();
}

/// p = quotient * T_K + remainder for K <= degree p < 2K; `p` becomes the remainder.
Coefficients divideByPower(Coefficients &p, unsigned power, Basis basis) {
  assert(power < p.size() && p.size() <= 2 * power);
  Coefficients quotient(p.begin() + power, p.end());
  p.resize(power);
  if (basis == Basis::chebyshev)
    for (unsigned j = 1; j < quotient.size(); ++j) {
      p[power - j] -= quotient[j];
      quotient[j] *= 2; // T_{K+j} = 2 T_K T_j - T_{K-j}
    }
  trim(quotient);
  trim(p);
  return quotient;
}

class Planner {
public:
  Planner(Basis basis, unsigned degree) {
    plan.basis = basis;
    plan.depth = polynomialDepth(degree);
    babyBits = std::max(1u, plan.depth / 2);
  }

  PolynomialPlan run(Coefficients coefficients) && {
    addBlock(std::move(coefficients), plan.depth);
    addPowers();
    return std::move(plan);
  }

private:
  /// Plans a polynomial whose powers and products must fit into `budget` levels; returns its block.
  /// The quotients of the repeated division become products with children, the last remainder the
  /// terms.
  unsigned addBlock(Coefficients p, unsigned budget) {
    PolynomialBlock block;
    block.below = budget;
    while (!isLeaf(p.size() - 1, budget)) {
      unsigned power = std::bit_floor(static_cast<unsigned>(p.size() - 1));
      Coefficients quotient = divideByPower(p, power, plan.basis);
      if (quotient.size() == 1)
        block.terms.push_back({power, quotient[0]});
      else
        block.products.push_back({addBlock(std::move(quotient), budget - 1), power});
    }
    for (unsigned i = 1; i < p.size(); ++i)
      if (p[i] != Coefficient(0))
        block.terms.push_back({i, p[i]});
    std::ranges::sort(block.terms, {}, &BlockTerm::power);
    block.constant = p[0];
    plan.blocks.push_back(std::move(block));
    return plan.blocks.size() - 1;
  }

  /// Without the test of the budget some degrees would take one level more than polynomialDepth.
  bool isLeaf(unsigned degree, unsigned budget) const {
    return degree < (1u << babyBits) && leafDepth(degree) <= budget;
  }

  /// The powers that the blocks use and the powers that those are made of.
  void addPowers() {
    std::set<unsigned> needed;
    for (const PolynomialBlock &block : plan.blocks) {
      for (const BlockProduct &product : block.products)
        needed.insert(product.power);
      for (const BlockTerm &term : block.terms)
        needed.insert(term.power);
    }
    // Operands have smaller indices: going down, every index is complete when it is met.
    for (auto index = needed.rbegin(); index != needed.rend() && *index > 1; ++index) {
      unsigned high = std::bit_floor(*index - 1), low = *index - high;
      plan.powers.push_back({*index, high, low});
      needed.insert({high, low});
      if (plan.basis == Basis::chebyshev && high != low)
        needed.insert(high - low);
    }
    std::ranges::reverse(plan.powers);
  }

  PolynomialPlan plan;
  unsigned babyBits; ///< leaves have a degree below 2^babyBits
};

} // namespace

unsigned powerDepth(unsigned index) { return unsigned(std::bit_width(index - 1)); }

unsigned PolynomialPlan::ciphertextProducts() const {
  unsigned count = powers.size();
  for (const PolynomialBlock &block : blocks)
    count += block.products.size();
  return count;
}

unsigned PolynomialPlan::constantProducts() const {
  unsigned count = 0;
  for (const PolynomialBlock &block : blocks)
    count += block.terms.size();
  return count;
}

PolynomialPlan planPolynomial(std::span<const Coefficient> coefficients, Basis basis) {
  Coefficients p(coefficients.begin(), coefficients.end());
  trim(p);
  assert(p.size() > 1 && "a constant needs no plan");
  return Planner(basis, p.size() - 1).run(std::move(p));
}

bool VariableChange::isFree() const {
  int exponent;
  return std::frexp(halfWidth, &exponent) == 0.5;
}

int VariableChange::log2HalfWidth() const { return std::ilogb(halfWidth); }

VariableChange variableChange(Basis basis, Interval interval) {
  if (basis == Basis::monomial)
    return {};
  return {(interval.low + interval.high) / 2, (interval.high - interval.low) / 2};
}

unsigned polynomialLevels(unsigned degree, Basis basis, Interval interval) {
  return polynomialDepth(degree) + !variableChange(basis, interval).isFree();
}

} // namespace sluice::algorithms
