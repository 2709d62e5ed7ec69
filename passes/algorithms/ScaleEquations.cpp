//===- ScaleEquations.cpp - exact linear systems over unknown scales --------------------------===//

#include "passes/algorithms/ScaleEquations.h"
#include "passes/algorithms/ScaleValue.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdlib>

using sluice::ckks::Dyadic;
using sluice::ckks::Scale;

namespace sluice::algorithms {

namespace {

/// value = odd * 2^exponent, odd = 0 only for 0.
struct OddPart {
  int64_t odd;
  int exponent;

  explicit OddPart(Dyadic value) {
    int zeros = value.isZero() ? 0 : std::countr_zero(uint64_t(value.getNumerator()));
    odd = value.getNumerator() >> zeros;
    exponent = zeros - int(value.getLog2Denominator());
  }
  bool isUnit() const { return odd == 1 || odd == -1; }
};

Dyadic shifted(int64_t numerator, int exponent) {
  return exponent >= 0 ? Dyadic(int64_t(1) << exponent) * numerator
                       : Dyadic(numerator, unsigned(-exponent));
}

Dyadic product(Dyadic a, Dyadic b) {
  Dyadic result = a * b.getNumerator();
  for (unsigned halvings = b.getLog2Denominator(); halvings > 0; --halvings)
    result = result.half();
  return result;
}

double toDouble(Dyadic value) {
  return std::ldexp(double(value.getNumerator()), -int(value.getLog2Denominator()));
}

/// scale^(1/divisor) when every exponent is divisible by the odd `divisor`.
std::optional<Scale> exactRoot(const Scale &scale, int64_t divisor) {
  auto divide = [&](Dyadic exponent) -> std::optional<Dyadic> {
    if (exponent.getNumerator() % divisor != 0)
      return std::nullopt;
    return Dyadic(exponent.getNumerator() / divisor, exponent.getLog2Denominator());
  };
  std::optional<Dyadic> two = divide(scale.exponentOfTwo());
  if (!two)
    return std::nullopt;
  Scale root = Scale::powerOfTwo(*two);
  for (const auto &[limb, exponent] : scale.exponentsOfLimbs()) {
    std::optional<Dyadic> quotient = divide(exponent);
    if (!quotient)
      return std::nullopt;
    root *= Scale::limb(limb, *quotient);
  }
  return root;
}

/// The unknown to solve for: an exponent +-1 needs no root; among those the latest, so that inputs
/// stay free and what depends on them follows. Nothing when no exponent is +-2^k.
std::optional<unsigned> findPivot(const ScaleExpression &equation) {
  std::optional<unsigned> pivot;
  bool isPivotOne = false;
  for (const auto &[unknown, exponent] : equation.exponents) {
    OddPart part(exponent);
    bool isOne = part.isUnit() && part.exponent == 0;
    if (!part.isUnit() || (isPivotOne && !isOne))
      continue;
    pivot = unknown;
    isPivotOne = isOne;
  }
  return pivot;
}

/// The unknown whose exponent has the smallest odd part.
std::map<unsigned, Dyadic>::const_iterator findSmallest(const ScaleExpression &equation) {
  return std::ranges::min_element(equation.exponents, {}, [](const auto &entry) {
    return std::abs(OddPart(entry.second).odd);
  });
}

} // namespace

Scale power(const Scale &scale, Dyadic exponent) {
  Scale result = scale.pow(exponent.getNumerator());
  for (unsigned roots = exponent.getLog2Denominator(); roots > 0; --roots)
    result = result.root();
  return result;
}

ScaleExpression &ScaleExpression::operator*=(const ScaleExpression &other) {
  constant *= other.constant;
  for (const auto &[unknown, exponent] : other.exponents) {
    Dyadic &sum = exponents[unknown];
    sum = sum + exponent;
    if (sum.isZero())
      exponents.erase(unknown);
  }
  return *this;
}

ScaleExpression ScaleExpression::pow(Dyadic exponent) const {
  ScaleExpression result(power(constant, exponent));
  if (!exponent.isZero())
    for (const auto &[unknown, own] : exponents)
      result.exponents[unknown] = product(own, exponent);
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Elimination
//===------------------------------------------------------------------------------------------===//

ScaleExpression ScaleEquations::addUnknown(double hint) {
  ScaleExpression expression;
  expression.exponents[unknowns.size()] = 1;
  unknowns.push_back({hint, std::nullopt, {}});
  return expression;
}

void ScaleEquations::replace(unsigned unknown, ScaleExpression by, const Labels &labels) {
  assert(!unknowns[unknown].replacement && !by.exponents.contains(unknown));
  unknowns[unknown].replacement = std::move(by);
  unknowns[unknown].labels = labels;
}

ScaleExpression ScaleEquations::resolve(const ScaleExpression &expression, Labels *labels) {
  ScaleExpression result(expression.constant);
  for (const auto &[number, exponent] : expression.exponents) {
    if (!unknowns[number].replacement) {
      ScaleExpression unknown;
      unknown.exponents[number] = exponent;
      result *= unknown;
      continue;
    }
    // Remember the resolved form, so that chains of replacements are walked once.
    Labels used = unknowns[number].labels;
    ScaleExpression resolved = resolve(*unknowns[number].replacement, &used);
    unknowns[number].labels = used;
    unknowns[number].replacement = resolved;
    result *= resolved.pow(exponent);
    if (labels)
      labels->insert(used.begin(), used.end());
  }
  return result;
}

bool ScaleEquations::reduceExponents(ScaleExpression &equation) {
  if (equation.exponents.empty())
    return false;
  auto [pivot, pivotExponent] = *findSmallest(equation);
  OddPart divisor(pivotExponent);
  for (auto [other, exponent] : equation.exponents) {
    OddPart dividend(exponent);
    int64_t quotient = dividend.odd / divisor.odd;
    if (other == pivot || dividend.odd % divisor.odd == 0)
      continue;
    // pivot = fresh * other^-r turns the exponent of `other` into the remainder.
    Dyadic r = shifted(quotient, dividend.exponent - divisor.exponent);
    ScaleExpression otherUnknown;
    otherUnknown.exponents[other] = 1;
    double hint = unknowns[pivot].hint + toDouble(r) * unknowns[other].hint;
    replace(pivot, addUnknown(hint) * otherUnknown.pow(-r), {});
    equation = resolve(equation);
    return true;
  }
  return false;
}

bool ScaleEquations::solve(ScaleExpression equation, const Labels &labels) {
  std::optional<unsigned> pivot = findPivot(equation);
  while (!pivot && reduceExponents(equation))
    pivot = findPivot(equation);
  if (pivot) {
    OddPart exponent(equation.exponents.at(*pivot));
    equation.exponents.erase(*pivot);
    replace(*pivot, equation.pow(shifted(-exponent.odd, -exponent.exponent)), labels);
    return true;
  }
  if (equation.exponents.empty())
    return equation.constant.isOne();

  // All odd parts are multiples of the smallest, g: the equation is (a monomial)^g = 1 / constant.
  int64_t divisor = std::abs(OddPart(findSmallest(equation)->second).odd);
  std::optional<Scale> root = exactRoot(equation.constant, divisor);
  if (!root)
    return false;
  ScaleExpression divided(*root);
  for (const auto &[unknown, exponent] : equation.exponents) {
    OddPart part(exponent);
    divided.exponents[unknown] = shifted(part.odd / divisor, part.exponent);
  }
  return solve(std::move(divided), labels);
}

std::optional<ScaleEquations::Labels>
ScaleEquations::require(const ScaleExpression &a, const ScaleExpression &b, unsigned label) {
  Labels labels = {label};
  ScaleExpression equation = resolve(a * b.pow(-1), &labels);
  return solve(std::move(equation), labels) ? std::nullopt : std::optional(std::move(labels));
}

//===------------------------------------------------------------------------------------------===//
// Choice of what is free
//===------------------------------------------------------------------------------------------===//

void ScaleEquations::prefer(const ScaleExpression &expression, double log2, double weight) {
  preferences.push_back({expression, log2, weight});
}

/// Sparse least squares by coordinate descent (Gauss-Seidel on the normal equations). It starts at
/// the hints, which are the answer already when the chain's levels have equal sizes.
class ScaleEquations::LeastSquares {
public:
  /// Column `unknown` of the system: log2 value and the rows that it enters.
  struct Column {
    double value = 0;
    double largest = 0; ///< largest |exponent|
    double squares = 0; ///< sum of squared coefficients
    bool isFixed = false;
    std::vector<std::pair<size_t, double>> entries;
  };

  void addRow(const ScaleExpression &resolved, const Preference &preference,
              std::span<const uint64_t> primes, const std::vector<Unknown> &unknowns) {
    size_t row = residuals.size();
    residuals.push_back((scaleLog2(resolved.constant, primes) - preference.log2) *
                        preference.weight);
    for (const auto &[unknown, exponent] : resolved.exponents) {
      auto [entry, isNew] = columns.try_emplace(unknown);
      Column &column = entry->second;
      if (isNew)
        column.value = unknowns[unknown].hint;
      column.largest = std::max(column.largest, std::abs(toDouble(exponent)));
      double coefficient = toDouble(exponent) * preference.weight;
      column.entries.emplace_back(row, coefficient);
      column.squares += coefficient * coefficient;
      residuals[row] += coefficient * column.value;
    }
  }

  /// Moves the columns that are not fixed to the least-squares solution.
  void descend() {
    constexpr int maxSweeps = 200;
    constexpr double precision = 1e-6;
    for (int sweep = 0; sweep < maxSweeps; ++sweep) {
      double largestStep = 0;
      for (auto &[unknown, column] : columns) {
        if (column.isFixed)
          continue;
        double gradient = 0;
        for (auto [row, coefficient] : column.entries)
          gradient += coefficient * residuals[row];
        double step = -gradient / column.squares;
        move(column, step);
        largestStep = std::max(largestStep, std::abs(step));
      }
      if (largestStep < precision)
        return;
    }
  }

  void move(Column &column, double step) {
    column.value += step;
    for (auto [row, coefficient] : column.entries)
      residuals[row] += coefficient * step;
  }

  std::map<unsigned, Column> columns;

private:
  std::vector<double> residuals;
};

void ScaleEquations::chooseFree(std::span<const uint64_t> primes) {
  LeastSquares system;
  for (const Preference &preference : preferences)
    system.addRow(resolve(preference.expression), preference, primes, unknowns);
  system.descend();

  // Round what is raised to high powers first: the others can still make up for it.
  std::vector<std::pair<double, unsigned>> order;
  order.reserve(system.columns.size());
  for (const auto &[unknown, column] : system.columns)
    order.emplace_back(-column.largest, unknown);
  std::ranges::sort(order);
  for (auto [_, unknown] : order) {
    LeastSquares::Column &column = system.columns[unknown];
    unsigned grid = std::max(0, int(std::ceil(std::log2(column.largest / 2))));
    int64_t rounded = std::llround(std::ldexp(column.value, int(grid)));
    double step = std::ldexp(double(rounded), -int(grid)) - column.value;
    system.move(column, step);
    column.isFixed = true;
    replace(unknown, Scale::powerOfTwo(Dyadic(rounded, grid)), {});
    constexpr double negligible = 1e-3;
    if (std::abs(step) > negligible)
      system.descend();
  }

  for (unsigned number = 0; number < unknowns.size(); ++number)
    if (!unknowns[number].replacement)
      replace(number, Scale::powerOfTwo(std::llround(unknowns[number].hint)), {});
}

Scale ScaleEquations::value(const ScaleExpression &expression) {
  ScaleExpression resolved = resolve(expression);
  assert(resolved.exponents.empty() && "chooseFree has not run");
  return resolved.constant;
}

} // namespace sluice::algorithms
