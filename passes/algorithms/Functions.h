//===- Functions.h - the real functions of programs, on numbers and on intervals --------------===//
//
// What a traced program may compute beyond arithmetic. Every function has the same name on doubles
// and on intervals, where it gives the exact image, so that one interpreter serves both.
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_FUNCTIONS_H
#define SLUICE_PASSES_ALGORITHMS_FUNCTIONS_H

#include "passes/algorithms/Interval.h"

namespace sluice::algorithms {

/// 1 / sqrt(x).
double rsqrt(double x);
/// 1 / (1 + e^-x).
double sigmoid(double x);
/// x sigmoid(x).
double silu(double x);
/// x (1 + erf(x / sqrt 2)) / 2.
double gelu(double x);

double maximum(double a, double b);
double minimum(double a, double b);
/// 1 where the relation holds, else 0.
double isGreater(double a, double b);
double isGreaterOrEqual(double a, double b);
/// a where the condition is 1, b where it is 0.
double choose(double condition, double a, double b);

Interval abs(Interval a);
Interval erf(Interval a);
Interval sigmoid(Interval a);
Interval silu(Interval a);
Interval gelu(Interval a);

/// The image of the part of a on which the root is defined. It has an infinite bound when 1 / sqrt
/// comes near 0, and is everything when nothing of a is in the domain.
Interval sqrt(Interval a);
Interval rsqrt(Interval a);

Interval maximum(Interval a, Interval b);
Interval minimum(Interval a, Interval b);
/// [0, 1] unless the relation holds for all numbers or for none.
Interval isGreater(Interval a, Interval b);
Interval isGreaterOrEqual(Interval a, Interval b);
Interval choose(Interval condition, Interval a, Interval b);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_FUNCTIONS_H
