//===- HanKiNodes.h - a cosine by its values near integers ------------------------------------===//
//
// EvalMod's inputs lie near integers, so its series need not be good anywhere else: the polynomial
// that interpolates there has a smaller degree than the one that is good on the whole interval.
// Source: docs/mathematics.md section 8.3 (Han and Ki, "Better bootstrapping for approximate
// homomorphic encryption", CT-RSA 2020).
//
//===------------------------------------------------------------------------------------------===//
#ifndef SLUICE_PASSES_ALGORITHMS_HANKINODES_H
#define SLUICE_PASSES_ALGORITHMS_HANKINODES_H

#include <vector>

namespace sluice::algorithms {

/// How many of `count` >= 2 range + 1 nodes stand in [i - radius, i + radius], for i from -range to
/// range: one each, then one at a time where the product of the distances to all nodes may be
/// largest. 0 < radius < 1/2.
std::vector<unsigned> distributeNodes(unsigned range, double radius, unsigned count);

/// The Chebyshev nodes of [i - radius, i + radius] for each of those i, as many as `distribution`
/// says; one node, and the middle one of an odd number, is i itself.
std::vector<double> hanKiNodes(const std::vector<unsigned> &distribution, double radius);

/// The polynomial of degree below nodes.size() that equals factor cos(frequency (x - 1/4)) at the
/// nodes, all different: its coefficients in the Chebyshev basis of t = (x - 1/4) / halfWidth. In
/// 50 digits, correctly rounded but for a few units.
std::vector<double> interpolateCosine(const std::vector<double> &nodes, long double factor,
                                      long double frequency, double halfWidth);

} // namespace sluice::algorithms

#endif // SLUICE_PASSES_ALGORITHMS_HANKINODES_H
