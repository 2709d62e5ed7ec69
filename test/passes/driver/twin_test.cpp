//===- twin_test.cpp - every stage computes the clear function --------------------------------===//
//
// Each program has its function in C++ beside its text. The traced stage must agree with the C++,
// and each later stage with the traced one.
//
//===------------------------------------------------------------------------------------------===//

#include "passes/driver/Twin.h"
#include "test/passes/driver/stages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <random>

using namespace sluice;
using Vector = std::vector<double>;

namespace {

struct Program {
  const char *name;
  std::vector<size_t> inputs; ///< element counts
  std::string text;
  std::function<Vector(const std::vector<Vector> &)> function; ///< one item
  double tolerance = 1e-9;
};

std::ostream &operator<<(std::ostream &stream, const Program &program) {
  return stream << program.name;
}

/// A function on secrets of these tensor types, range [-2, 2].
std::string secretFunction(const std::vector<std::string> &types, const std::string &result,
                           const std::string &body, int batch = 0) {
  std::string text = "func.func @f(";
  for (size_t i = 0; i < types.size(); ++i)
    text += (i ? ", %x" : "%x") + std::to_string(i) + ": " + types[i] +
            " {ckks.secret, ckks.range = [-2.0, 2.0]}";
  text += ") -> " + result;
  if (batch)
    text += " attributes {ckks.batch = " + std::to_string(batch) + " : i64}";
  return text + " {\n" + body + "\n}\n";
}

const std::string zeroScalar = R"(
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<f64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<f64>) -> tensor<f64>
)";

std::string zeros(const std::string &type) {
  return "%zero = arith.constant 0.0 : f64\n%empty = tensor.empty() : " + type +
         "\n%init = linalg.fill ins(%zero : f64) outs(%empty : " + type + ") -> " + type + "\n";
}

std::vector<Program> programs() {
  return {
      {"elementwise",
       {3, 3},
       secretFunction({"tensor<3xf64>", "tensor<3xf64>"}, "tensor<3xf64>", R"(
  %c = arith.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf64>
  %four = arith.constant dense<4.0> : tensor<3xf64>
  %0 = arith.mulf %x0, %x1 : tensor<3xf64>
  %1 = arith.subf %c, %0 : tensor<3xf64>
  %2 = arith.mulf %1, %c : tensor<3xf64>
  %3 = arith.divf %x0, %four : tensor<3xf64>
  %4 = arith.addf %2, %3 : tensor<3xf64>
  %5 = arith.subf %4, %x1 : tensor<3xf64>
  %6 = arith.negf %5 : tensor<3xf64>
  return %6 : tensor<3xf64>)"),
       [](const std::vector<Vector> &x) {
         Vector c{1, -2, 0.5}, y(3);
         for (int i = 0; i < 3; ++i)
           y[i] = -((c[i] - x[0][i] * x[1][i]) * c[i] + x[0][i] / 4 - x[1][i]);
         return y;
       }},
      {"dotWithClear",
       {3},
       secretFunction({"tensor<3xf64>"}, "tensor<f64>", zeroScalar + R"(
  %w = arith.constant dense<[1.0, -2.0, 0.5]> : tensor<3xf64>
  %b = arith.constant dense<0.75> : tensor<f64>
  %0 = linalg.dot ins(%x0, %w : tensor<3xf64>, tensor<3xf64>) outs(%init : tensor<f64>) -> tensor<f64>
  %1 = arith.addf %0, %b : tensor<f64>
  return %1 : tensor<f64>)",
                      5),
       [](const std::vector<Vector> &x) {
         return Vector{x[0][0] - 2 * x[0][1] + 0.5 * x[0][2] + 0.75};
       }},
      {"dotOfSecrets",
       {3, 3},
       secretFunction({"tensor<3xf64>", "tensor<3xf64>"}, "tensor<f64>", zeroScalar + R"(
  %one = arith.constant dense<1.0> : tensor<3xf64>
  %0 = arith.addf %x0, %one : tensor<3xf64>
  %1 = linalg.dot ins(%0, %x1 : tensor<3xf64>, tensor<3xf64>) outs(%init : tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>)",
                      3),
       [](const std::vector<Vector> &x) {
         double sum = 0;
         for (int i = 0; i < 3; ++i)
           sum += (x[0][i] + 1) * x[1][i];
         return Vector{sum};
       }},
      {"matvec",
       {3},
       secretFunction({"tensor<3xf64>"}, "tensor<5xf64>", zeros("tensor<5xf64>") + R"(
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [0.0, -1.0, 0.5], [4.0, 0.0, 0.0], [0.25, 0.5, 0.75], [-1.0, -1.0, 2.0]]>
       : tensor<5x3xf64>
  %0 = linalg.matvec ins(%w, %x0 : tensor<5x3xf64>, tensor<3xf64>) outs(%init : tensor<5xf64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>)",
                      2),
       [](const std::vector<Vector> &x) {
         double w[5][3] = {{1, 2, 3}, {0, -1, 0.5}, {4, 0, 0}, {0.25, 0.5, 0.75}, {-1, -1, 2}};
         Vector y(5);
         for (int i = 0; i < 5; ++i)
           for (int j = 0; j < 3; ++j)
             y[i] += w[i][j] * x[0][j];
         return y;
       }},
      {"vecmatOntoOffset",
       {2},
       secretFunction({"tensor<2xf64>"}, "tensor<3xf64>", R"(
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [-1.0, 0.5, 0.0]]> : tensor<2x3xf64>
  %b = arith.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf64>
  %0 = linalg.vecmat ins(%x0, %w : tensor<2xf64>, tensor<2x3xf64>) outs(%b : tensor<3xf64>) -> tensor<3xf64>
  return %0 : tensor<3xf64>)"),
       [](const std::vector<Vector> &x) {
         double a = x[0][0], b = x[0][1];
         return Vector{10 + a - b, 20 + 2 * a + 0.5 * b, 30 + 3 * a};
       }},
      {"matmulBothSides",
       {6},
       secretFunction({"tensor<2x3xf64>"}, "tensor<2x2xf64>", zeros("tensor<2x2xf64>") + R"(
  %w = arith.constant dense<[[1.0, 2.0], [3.0, -1.0], [0.5, 0.0]]> : tensor<3x2xf64>
  %v = arith.constant dense<[[1.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf64>
  %0 = linalg.matmul ins(%x0, %w : tensor<2x3xf64>, tensor<3x2xf64>) outs(%init : tensor<2x2xf64>) -> tensor<2x2xf64>
  %1 = linalg.matmul ins(%v, %0 : tensor<2x2xf64>, tensor<2x2xf64>) outs(%init : tensor<2x2xf64>) -> tensor<2x2xf64>
  return %1 : tensor<2x2xf64>)"),
       [](const std::vector<Vector> &x) {
         double w[3][2] = {{1, 2}, {3, -1}, {0.5, 0}}, p[2][2] = {};
         for (int i = 0; i < 2; ++i)
           for (int j = 0; j < 2; ++j)
             for (int k = 0; k < 3; ++k)
               p[i][j] += x[0][i * 3 + k] * w[k][j];
         return Vector{p[0][0] + p[1][0], p[0][1] + p[1][1], 2 * p[1][0], 2 * p[1][1]};
       }},
      {"transposeAndSums",
       {6},
       secretFunction({"tensor<2x3xf64>"}, "(tensor<2xf64>, tensor<3xf64>, tensor<f64>)",
                      zeroScalar + R"(
  %e2 = tensor.empty() : tensor<2xf64>
  %z2 = linalg.fill ins(%zero : f64) outs(%e2 : tensor<2xf64>) -> tensor<2xf64>
  %e3 = tensor.empty() : tensor<3xf64>
  %z3 = linalg.fill ins(%zero : f64) outs(%e3 : tensor<3xf64>) -> tensor<3xf64>
  %et = tensor.empty() : tensor<3x2xf64>
  %t = linalg.transpose ins(%x0 : tensor<2x3xf64>) outs(%et : tensor<3x2xf64>) permutation = [1, 0]
  %rows = linalg.reduce {arith.addf} ins(%t : tensor<3x2xf64>) outs(%z2 : tensor<2xf64>) dimensions = [0]
  %columns = linalg.reduce {arith.addf} ins(%t : tensor<3x2xf64>) outs(%z3 : tensor<3xf64>) dimensions = [1]
  %all = linalg.reduce {arith.addf} ins(%t : tensor<3x2xf64>) outs(%init : tensor<f64>) dimensions = [0, 1]
  return %rows, %columns, %all : tensor<2xf64>, tensor<3xf64>, tensor<f64>)",
                      2),
       [](const std::vector<Vector> &in) {
         const Vector &x = in[0];
         double rows[2] = {x[0] + x[1] + x[2], x[3] + x[4] + x[5]};
         return Vector{rows[0], rows[1], x[0] + x[3], x[1] + x[4], x[2] + x[5], rows[0] + rows[1]};
       }},
      {"slicesAndBroadcasts",
       {12},
       secretFunction({"tensor<3x4xf64>"}, "(tensor<2x2xf64>, tensor<3xf64>, tensor<3xf64>)", R"(
  %corner = tensor.extract_slice %x0[1, 0] [2, 2] [1, 2] : tensor<3x4xf64> to tensor<2x2xf64>
  %lead = tensor.extract_slice %x0[0, 0] [1, 3] [1, 1] : tensor<3x4xf64> to tensor<3xf64>
  %squares = arith.mulf %lead, %lead : tensor<3xf64>
  %one = tensor.extract_slice %x0[2, 1] [1, 1] [1, 1] : tensor<3x4xf64> to tensor<f64>
  %e = tensor.empty() : tensor<3xf64>
  %spread = linalg.broadcast ins(%one : tensor<f64>) outs(%e : tensor<3xf64>) dimensions = [0]
  %sum = arith.addf %spread, %lead : tensor<3xf64>
  return %corner, %squares, %sum : tensor<2x2xf64>, tensor<3xf64>, tensor<3xf64>)",
                      2),
       [](const std::vector<Vector> &in) {
         const Vector &x = in[0];
         return Vector{x[4],        x[6],        x[8],        x[10],       x[0] * x[0],
                       x[1] * x[1], x[2] * x[2], x[9] + x[0], x[9] + x[1], x[9] + x[2]};
       }},
      {"reductionOfASlice",
       {4},
       secretFunction({"tensor<4xf64>"}, "tensor<f64>", zeroScalar + R"(
  %lead = tensor.extract_slice %x0[0] [2] [1] : tensor<4xf64> to tensor<2xf64>
  %w = arith.constant dense<3.0> : tensor<2xf64>
  %0 = linalg.dot ins(%w, %lead : tensor<2xf64>, tensor<2xf64>) outs(%init : tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>)",
                      2),
       [](const std::vector<Vector> &x) { return Vector{3 * (x[0][0] + x[0][1])}; }},
      {"stack",
       {3, 1},
       secretFunction({"tensor<3xf64>", "tensor<f64>"}, "tensor<4xf64>", R"(
  %two = arith.constant 2.0 : f64
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = tensor.extract %x0[%c2] : tensor<3xf64>
  %b = tensor.extract %x1[] : tensor<f64>
  %c = tensor.extract %x0[%c0] : tensor<3xf64>
  %0 = tensor.from_elements %a, %two, %b, %c : tensor<4xf64>
  return %0 : tensor<4xf64>)",
                      3),
       [](const std::vector<Vector> &x) { return Vector{x[0][2], 2, x[1][0], x[0][0]}; }},
      {"scalars",
       {1, 3},
       secretFunction({"tensor<f64>", "tensor<3xf64>"}, "tensor<3xf64>", R"(
  %half = arith.constant dense<0.5> : tensor<f64>
  %s = arith.mulf %x0, %half : tensor<f64>
  %e = tensor.empty() : tensor<3xf64>
  %spread = linalg.broadcast ins(%s : tensor<f64>) outs(%e : tensor<3xf64>) dimensions = [0]
  %0 = arith.mulf %spread, %x1 : tensor<3xf64>
  return %0 : tensor<3xf64>)",
                      4),
       [](const std::vector<Vector> &x) {
         double s = x[0][0] / 2;
         return Vector{s * x[1][0], s * x[1][1], s * x[1][2]};
       }},
      {"powers",
       {3},
       secretFunction({"tensor<3xf64>"}, "tensor<3xf64>", R"(
  %seven = arith.constant dense<7> : tensor<3xi32>
  %0 = math.fpowi %x0, %seven : tensor<3xf64>, tensor<3xi32>
  return %0 : tensor<3xf64>)"),
       [](const std::vector<Vector> &x) {
         return Vector{std::pow(x[0][0], 7), std::pow(x[0][1], 7), std::pow(x[0][2], 7)};
       }},
      {"polynomials",
       {3},
       secretFunction({"tensor<3xf64>"}, "tensor<3xf64>", R"(
  %0 = ckks.polynomial %x0 {basis = monomial, coefficients = dense<[1.0, 0.0, -0.5, 0.25]> : tensor<4xf64>,
                            interval = [-2.0, 2.0]} : tensor<3xf64>
  %1 = ckks.polynomial %0 {basis = chebyshev, coefficients = dense<[0.5, 1.0, 0.25]> : tensor<3xf64>,
                           interval = [-3.0, 3.0]} : tensor<3xf64>
  return %1 : tensor<3xf64>)"),
       [](const std::vector<Vector> &x) {
         Vector y;
         for (double v : x[0]) {
           double t = (1 - 0.5 * v * v + 0.25 * v * v * v) / 3;
           y.push_back(0.5 + t + 0.25 * (2 * t * t - 1));
         }
         return y;
       }},
      {"sigmoidTanhExp",
       {3},
       secretFunction({"tensor<3xf64>"}, "(tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)", R"(
  %one = arith.constant dense<1.0> : tensor<3xf64>
  %n = arith.negf %x0 : tensor<3xf64>
  %e = math.exp %n : tensor<3xf64>
  %d = arith.addf %one, %e : tensor<3xf64>
  %s = arith.divf %one, %d : tensor<3xf64>
  %t = math.tanh %x0 : tensor<3xf64>
  return %s, %t, %e : tensor<3xf64>, tensor<3xf64>, tensor<3xf64>)",
                      2),
       [](const std::vector<Vector> &x) {
         Vector y;
         for (double v : x[0])
           y.push_back(1 / (1 + std::exp(-v)));
         for (double v : x[0])
           y.push_back(std::tanh(v));
         for (double v : x[0])
           y.push_back(std::exp(-v));
         return y;
       },
       0x1p-15},
      {"bareScalars",
       {1, 1},
       secretFunction({"f64", "f64"}, "(f64, f64, tensor<3xf64>)", R"(
  %one = arith.constant 1.0 : f64
  %n = arith.negf %x0 : f64
  %e = math.exp %n : f64
  %d = arith.addf %one, %e : f64
  %s = arith.divf %one, %d : f64
  %t = math.tanh %x1 : f64
  %p = arith.mulf %s, %t : f64
  %r = arith.subf %p, %one : f64
  %spread = tensor.splat %r : tensor<3xf64>
  return %s, %r, %spread : f64, f64, tensor<3xf64>)",
                      2),
       [](const std::vector<Vector> &x) {
         double s = 1 / (1 + std::exp(-x[0][0])), r = s * std::tanh(x[1][0]) - 1;
         return Vector{s, r, r, r, r};
       },
       0x1p-14},
  };
}

class Twin : public testing::TestWithParam<Program> {
protected:
  /// Random inputs, by item and input.
  std::vector<std::vector<Vector>> drawItems(int count) {
    std::uniform_real_distribution<double> uniform(-2, 2);
    std::vector<std::vector<Vector>> items(count);
    for (auto &item : items)
      for (size_t elements : GetParam().inputs) {
        item.emplace_back(elements);
        for (double &element : item.back())
          element = uniform(random);
      }
    return items;
  }

  static TensorItems concatenate(const std::vector<std::vector<Vector>> &items) {
    TensorItems result(items.front().size());
    for (const auto &item : items)
      for (size_t i = 0; i < item.size(); ++i)
        result[i].insert(result[i].end(), item[i].begin(), item[i].end());
    return result;
  }

  /// The outputs of one item one after the other, as the C++ functions give them.
  static Vector itemOf(const TensorItems &outputs, int64_t item, int64_t items) {
    Vector result;
    for (const Vector &output : outputs) {
      int64_t elements = int64_t(output.size()) / items;
      result.insert(result.end(), output.begin() + item * elements,
                    output.begin() + (item + 1) * elements);
    }
    return result;
  }

  void expectFunction(StagedModule &module, double tolerance, const char *stage) {
    int count = GetParam().text.find("ckks.batch") != std::string::npos ? 2 : 1;
    auto items = drawItems(count);
    auto outputs = simulate(module.get(), concatenate(items));
    ASSERT_TRUE(succeeded(outputs)) << stage << ": " << module.messages;
    for (int item = 0; item < count; ++item) {
      Vector expected = GetParam().function(items[item]), found = itemOf(*outputs, item, count);
      ASSERT_EQ(found.size(), expected.size()) << stage;
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], tolerance * (1 + std::fabs(expected[i])))
            << stage << ", item " << item << ", number " << i;
    }
  }

  std::mt19937_64 random{7};
};

TEST_P(Twin, EveryStageComputesTheFunction) {
  StagedModule module(GetParam().text);
  ASSERT_TRUE(module) << module.messages;
  expectFunction(module, 1e-12, "traced");
  for (Phase phase : {Phase::Packed, Phase::Planned, Phase::Settled}) {
    ASSERT_TRUE(module.advance(phase)) << phaseName(phase).str() << ": " << module.messages;
    expectFunction(module, GetParam().tolerance, phaseName(phase).data());
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Twin, testing::ValuesIn(programs()),
                         [](const auto &info) { return std::string(info.param.name); });

/// One vector of 4 real slots as argument or result.
const std::string vectorOf4 =
    "{ckks.layout = #ckks.layout<shape = [4], lanes = 4, batch = 1, batched = false>, "
    "ckks.range = [-2.0, 2.0]}";

/// A packed function of %x and %y: !ckks.ct with `count` results.
std::string packedFunction(int count, const std::string &body) {
  std::string results;
  for (int i = 0; i < count; ++i)
    results += (i ? ", !ckks.ct " : "!ckks.ct ") + vectorOf4;
  return "module attributes {ckks.slots = 4 : i64} {\nfunc.func @f(%x: !ckks.ct " + vectorOf4 +
         ", %y: !ckks.ct " + vectorOf4 + ") -> (" + results + ") {\n" + body + "\n}\n}\n";
}

TEST(TwinOnComplexSlots, MatchesComplexArithmetic) {
  StagedModule module(packedFunction(5, R"(
  %iy = ckks.mul_by_i %y : !ckks.ct
  %z = ckks.add %x, %iy : !ckks.ct
  %conjugate = ckks.conjugate %z : !ckks.ct
  %norm = ckks.mul %z, %conjugate : !ckks.ct
  %square = ckks.square %z : !ckks.ct
  %i_square = ckks.mul_by_i %square : !ckks.ct
  %imaginary = ckks.negate %i_square : !ckks.ct
  %rotated = ckks.rotate %z {by = 1} : !ckks.ct
  %weighted = ckks.mul_plain %rotated {value = dense<[1.0, 2.0, -1.0, 0.5]> : tensor<4xf64>} : !ckks.ct
  %i_weighted = ckks.mul_by_i %weighted : !ckks.ct
  %cubic = ckks.polynomial %z {basis = monomial, coefficients = dense<[0.5, -1.0, 0.0, 2.0]> : tensor<4xf64>} : !ckks.ct
  %series = ckks.polynomial %z {basis = chebyshev, coefficients = dense<[0.5, 1.0, 0.25]> : tensor<3xf64>,
                                interval = [-3.0, 5.0]} : !ckks.ct
  %i_series = ckks.mul_by_i %series : !ckks.ct
  return %norm, %imaginary, %i_weighted, %cubic, %i_series : !ckks.ct, !ckks.ct, !ckks.ct, !ckks.ct, !ckks.ct)"));
  ASSERT_TRUE(module) << module.messages;
  Vector x{0.5, -1.25, 2, 0}, y{1, 0.75, -0.5, -2}, weights{1, 2, -1, 0.5};
  auto outputs = simulate(module.get(), {x, y});
  ASSERT_TRUE(succeeded(outputs)) << module.messages;
  for (int k = 0; k < 4; ++k) {
    std::complex<double> z(x[k], y[k]), next(x[(k + 1) % 4], y[(k + 1) % 4]), t = (z - 1.0) / 4.0;
    EXPECT_NEAR((*outputs)[0][k], std::norm(z), 1e-14) << k;
    EXPECT_NEAR((*outputs)[1][k], (z * z).imag(), 1e-14) << k;
    EXPECT_NEAR((*outputs)[2][k], -weights[k] * next.imag(), 1e-14) << k;
    EXPECT_NEAR((*outputs)[3][k], (0.5 - z + 2.0 * z * z * z).real(), 1e-13) << k;
    EXPECT_NEAR((*outputs)[4][k], -(0.5 + t + 0.25 * (2.0 * t * t - 1.0)).imag(), 1e-13) << k;
  }
}

TEST(TwinOnComplexSlots, CoefficientsMayBeComplex) {
  // Of real slots: nothing else in the program leaves the reals.
  StagedModule module(packedFunction(2, R"(
  %0 = ckks.polynomial %x {basis = monomial, coefficients = dense<[(0.5, 1.0), (0.0, -2.0), (1.0, 0.5)]>
                           : tensor<3xcomplex<f64>>} : !ckks.ct
  %1 = ckks.polynomial %0 {basis = chebyshev, coefficients = dense<[(0.0, 1.0), (2.0, 0.0), (0.0, -0.25)]>
                           : tensor<3xcomplex<f64>>, interval = [-3.0, 5.0]} : !ckks.ct
  %2 = ckks.mul %1, %y : !ckks.ct
  return %0, %2 : !ckks.ct, !ckks.ct)"));
  ASSERT_TRUE(module) << module.messages;
  Vector x{0.5, -1.25, 2, 0}, y{1, 0.75, -0.5, -2};
  auto outputs = simulate(module.get(), {x, y});
  ASSERT_TRUE(succeeded(outputs)) << module.messages;
  const std::complex<double> i(0, 1);
  for (int k = 0; k < 4; ++k) {
    std::complex<double> p = 0.5 + i - 2.0 * i * x[k] + (1.0 + 0.5 * i) * x[k] * x[k];
    std::complex<double> t = (p - 1.0) / 4.0, q = i + 2.0 * t - 0.25 * i * (2.0 * t * t - 1.0);
    EXPECT_NEAR((*outputs)[0][k], p.real(), 1e-14) << k;
    EXPECT_NEAR((*outputs)[1][k], q.real() * y[k], 1e-14) << k;
  }
}

TEST(TwinOnComplexSlots, ConjugationAndIAreExact) {
  // i conj(i x) = x, bit by bit; conjugation of real slots is the identity.
  StagedModule module(packedFunction(2, R"(
  %0 = ckks.mul_by_i %x : !ckks.ct
  %1 = ckks.conjugate %0 : !ckks.ct
  %2 = ckks.mul_by_i %1 : !ckks.ct
  %3 = ckks.conjugate %y : !ckks.ct
  return %2, %3 : !ckks.ct, !ckks.ct)"));
  Vector x{0.1, -1e300, 1e-300, 0}, y{1, 2, 3, 4};
  auto outputs = simulate(module.get(), {x, y});
  ASSERT_TRUE(succeeded(outputs)) << module.messages;
  EXPECT_EQ((*outputs)[0], x);
  EXPECT_EQ((*outputs)[1], y);
}

TEST(TwinOnComplexSlots, AnImaginaryPartLeavesARange) {
  StagedModule module(packedFunction(1, R"(
  %0 = ckks.mul_by_i %x : !ckks.ct
  %1 = ckks.add %0, %y {ckks.range = [-2.0, 2.0]} : !ckks.ct
  return %1 : !ckks.ct)"));
  auto respected = respectsRanges(module.get(), {Vector(4, 0.0), Vector(4, 1.0)});
  ASSERT_TRUE(succeeded(respected)) << module.messages;
  EXPECT_TRUE(*respected);
  respected = respectsRanges(module.get(), {Vector(4, 0.5), Vector(4, 1.0)});
  ASSERT_TRUE(succeeded(respected)) << module.messages;
  EXPECT_FALSE(*respected);
}

TEST(TwinErrors, ItemsMustFit) {
  StagedModule module(programs().front().text);
  EXPECT_TRUE(failed(simulate(module.get(), {{1, 2, 3}})));
  EXPECT_NE(module.messages.find("takes 2 inputs; 1 were given"), std::string::npos);
  EXPECT_TRUE(failed(simulate(module.get(), {{1, 2, 3}, {1, 2}})));
  EXPECT_NE(module.messages.find("input 1 has 2 numbers, not 1 items of 3"), std::string::npos);
  EXPECT_TRUE(failed(simulate(module.get(), {{1, 2, 3}, {1, 2, 3}}, 1)));
  EXPECT_NE(module.messages.find("noise needs levels and scales; simulate the settled stage"),
            std::string::npos);
}

/// The message of a simulation of `text` that must fail.
std::string messageOf(const std::string &text, const TensorItems &inputs,
                      std::optional<uint64_t> noiseSeed = std::nullopt) {
  StagedModule module(text);
  EXPECT_TRUE(module) << module.messages;
  EXPECT_TRUE(failed(simulate(module.get(), inputs, noiseSeed)));
  return module.messages;
}

TEST(TwinErrors, AStageMustHaveSlots) {
  const std::string layout = vectorOf4;
  TensorItems item{Vector(4, 1.0)};
  EXPECT_EQ(messageOf("func.func @f(%x: !rns.poly<[0], eval>) { return }", item),
            "this stage has no values on slots; simulate a stage from traced to settled\n");
  EXPECT_EQ(messageOf("func.func @f(%x: !ckks.ct " + layout + ") { return }", item),
            "the module has neither ckks.params nor ckks.slots\n");
  auto packed = [](const std::string &function) {
    return "module attributes {ckks.slots = 4 : i64} {\n" + function + "}";
  };
  EXPECT_EQ(messageOf(packed("func.func @f(%x: !ckks.ct) { return }"), item),
            "argument 0 has no ckks.layout\n");
  std::string identity =
      packed("func.func @f(%x: !ckks.ct " + layout + ") -> !ckks.ct {\nreturn %x : !ckks.ct\n}");
  EXPECT_EQ(messageOf(identity, item), "result 0 has no ckks.layout\n");
  EXPECT_EQ(messageOf(identity, item, 1),
            "noise needs levels and scales; simulate the settled stage\n");
}

TEST(TwinErrors, BatchIsLimited) {
  StagedModule module(programs()[1].text);
  ASSERT_TRUE(module.advance(Phase::Packed));
  EXPECT_TRUE(failed(simulate(module.get(), {Vector(9 * 3, 1.0)})));
  EXPECT_NE(module.messages.find("9 items were given; the program takes 8 at a time"),
            std::string::npos);
}

} // namespace
