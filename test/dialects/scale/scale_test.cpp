//===- scale_test.cpp - exact scales ----------------------------------------------------------===//
//
// The group of monomials, its text, and the integers derived from it. Expected numbers were made
// with Python's integers and 80 decimal digits of logarithm.
//
//===------------------------------------------------------------------------------------------===//
#include "dialects/CKKS/Scale.h"

#include <gtest/gtest.h>

#include <unordered_set>

using namespace sluice::ckks;

namespace {

// 50, 45 and 50 bits; then small ones. Nothing here needs them to have a transform.
const std::vector<uint64_t> primes = {
    1125899904679937, 35184371138561, 1125899906826241, 97, 193, 65537};

Scale scale(std::string_view text) {
  std::string reason;
  std::optional<Scale> parsed = Scale::parse(text, &reason);
  EXPECT_TRUE(parsed) << text << ": " << reason;
  return parsed.value_or(Scale());
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

TEST(ScaleText, CanonicalTextSurvives) {
  for (const char *text : {"2^0", "2^45", "2^90 * q3^-1", "2^(45/2) * q3^(1/2)", "q0",
                           "2^1 * q12^-7", "2^(-3/1024) * q1^(5/4) * q65535"})
    EXPECT_EQ(scale(text).str(), text);
}

TEST(ScaleText, OtherSpellingsAreNormalised) {
  EXPECT_EQ(scale("q3^-1*2^90").str(), "2^90 * q3^-1");
  EXPECT_EQ(scale("2 * 2^(4/2)").str(), "2^3");
  EXPECT_EQ(scale("q1^(1/2) * q1^(1/2)").str(), "q1");
  EXPECT_EQ(scale("q1 * q1^-1").str(), "2^0");
  EXPECT_EQ(scale("q4^0 * 2^(6/4)").str(), "2^(3/2)");
}

struct BadText {
  const char *text, *reason;
  size_t offset;
};

TEST(ScaleText, MalformedTextIsRefusedAtItsPlace) {
  const BadText cases[] = {
      {"", "expected '2' or 'q<limb index>'", 0},
      {"3^2", "expected '2' or 'q<limb index>'", 0},
      {"2^", "expected an exponent", 2},
      {"2^45 q1", "expected '*' or the end of the scale", 5},
      {"2^45 *", "expected '2' or 'q<limb index>'", 6},
      {"q", "expected a limb index after 'q'", 1},
      {"q-1", "limb index must be between 0 and 65535", 3},
      {"q65536", "limb index must be between 0 and 65535", 6},
      {"2^(1/3)", "denominator of an exponent must be a power of two", 6},
      {"2^(1/0)", "denominator of an exponent must be a power of two", 6},
      {"2^(1/2", "expected ')'", 6},
      {"2^4294967296", "number must be below 2^31 in magnitude", 2},
      {"2^99999999999999999999", "number must be below 2^31 in magnitude", 2},
      {"2^1.5", "expected '*' or the end of the scale", 3},
  };
  for (const BadText &bad : cases) {
    std::string reason;
    size_t offset = 99;
    EXPECT_FALSE(Scale::parse(bad.text, &reason, &offset)) << bad.text;
    EXPECT_EQ(reason, bad.reason) << bad.text;
    EXPECT_EQ(offset, bad.offset) << bad.text;
  }
}

//===------------------------------------------------------------------------------------------===//
// The group
//===------------------------------------------------------------------------------------------===//

TEST(Scale, ProductsAndQuotientsCancelExactly) {
  Scale input = scale("2^45"), q2 = Scale::limb(2);
  EXPECT_EQ((input * input / q2).str(), "2^90 * q2^-1");
  EXPECT_EQ(input * q2 / q2, input);
  EXPECT_EQ(input / input, Scale());
  EXPECT_TRUE((q2 * q2.inverse()).isOne());
  EXPECT_EQ(Scale::limbs(std::vector<int64_t>{0, 3, 0}).str(), "q0^2 * q3");
}

TEST(Scale, RootAndPowerAreInverse) {
  for (const char *text : {"2^45", "2^-7 * q1^3 * q9^(1/8)", "2^0"}) {
    EXPECT_EQ(scale(text).root().pow(2), scale(text));
    EXPECT_EQ(scale(text).pow(2).root(), scale(text));
    EXPECT_EQ(scale(text).pow(-3) * scale(text).pow(3), Scale());
  }
  EXPECT_EQ(scale("2^45 * q3").root().str(), "2^(45/2) * q3^(1/2)");
  EXPECT_EQ(scale("2^45").pow(0), Scale());
}

TEST(Scale, EqualityIsSymbolic) {
  // 2^50 and q0 agree to 30 bits: equal as floats, different as scales.
  EXPECT_NE(scale("2^50"), scale("q0"));
  EXPECT_NE(scale("q0"), scale("q2"));
  EXPECT_EQ(scale("2^(2/4)"), scale("2^(1/2)"));
}

TEST(Scale, HashFollowsEquality) {
  EXPECT_EQ(scale("q1 * 2^(2/4)").hash(), scale("2^(1/2) * q1").hash());
  std::unordered_set<size_t> seen;
  for (int64_t exponent = -20; exponent <= 20; ++exponent)
    for (unsigned limb = 0; limb < 5; ++limb)
      for (unsigned denominator = 0; denominator < 3; ++denominator)
        seen.insert(
            (Scale::powerOfTwo(exponent) * Scale::limb(limb, Dyadic(1, denominator))).hash());
  EXPECT_EQ(seen.size(), 41u * 5 * 3);
}

TEST(Scale, ReportsWhatItIsMadeOf) {
  Scale mixed = scale("2^(45/2) * q3^-1");
  EXPECT_FALSE(mixed.isRational());
  EXPECT_TRUE(mixed.pow(2).isRational());
  EXPECT_EQ(mixed.limbTableSize(), 4u);
  EXPECT_EQ(Scale().limbTableSize(), 0u);
  EXPECT_EQ(mixed.exponentOfTwo(), Dyadic(45, 1));
  EXPECT_EQ(mixed.exponentOfLimb(3), Dyadic(-1));
  EXPECT_TRUE(mixed.exponentOfLimb(2).isZero());
}

TEST(ScaleDeathTest, OverflowAborts) {
  Scale huge = scale("2^2147483647").pow(int64_t{1} << 31);
  EXPECT_DEATH(huge * huge * huge, "");
  Scale fine = scale("q0");
  for (int i = 0; i < 62; ++i)
    fine = fine.root();
  EXPECT_DEATH(fine.root(), "");
}

//===------------------------------------------------------------------------------------------===//
// Values
//===------------------------------------------------------------------------------------------===//

TEST(ScaleValue, Log2IsRoundedToNearest) {
  const std::pair<const char *, int64_t> cases[] = {
      {"2^0", 0},
      {"2^45", 47185920},
      {"2^-45", -47185920},
      {"q0", 52428800},
      {"2^90 * q1^-1", 47185920},
      {"2^(45/2) * q2^(1/2)", 49807360},
      {"2^-3 * q3^(-7/8) * q4^(3/4)", -3230223},
      {"q5^1000003", 16777289414662},
      {"2^(1/4096)", 256},
      {"q0^-5 * q2^5", 0},
  };
  for (auto [text, expected] : cases)
    EXPECT_EQ(scale(text).log2Fixed(primes), expected) << text;
}

TEST(ScaleValue, ResidueOfRationals) {
  EXPECT_EQ(scale("2^90 * q1^-1").residue(primes[0], primes), 166692867114351u);
  EXPECT_EQ(scale("q2^3 * 2^-7 * q3^-2").residue(193, primes), 134u);
  EXPECT_EQ(scale("q0").residue(primes[1], primes), 28245985u);
  EXPECT_EQ(scale("q0").residue(primes[0], primes), 0u);
  EXPECT_EQ(scale("2^0").residue(97, primes), 1u);
  EXPECT_FALSE(scale("q0^-1").residue(primes[0], primes));
  EXPECT_FALSE(scale("q0^(1/2)").residue(primes[1], primes));
}

std::string rounded(std::string_view text) {
  std::optional<Natural> value = roundRatio(scale(text), primes);
  return value ? value->toDecimal() : "nothing";
}

TEST(RoundRatio, MatchesPython) {
  EXPECT_EQ(rounded("2^90 * q1^-1"), "35184373039103");
  EXPECT_EQ(rounded("2^200 * q0 * q1^-1 * q2^-1"),
            "45671927313048595446782006498878150267214479009");
  EXPECT_EQ(rounded("2^45"), "35184372088832");
}

TEST(RoundRatio, TiesGoUp) {
  EXPECT_EQ(rounded("q3 * 2^-1"), "49"); // 97 / 2
  EXPECT_EQ(rounded("2^-1"), "1");
  EXPECT_EQ(rounded("q4 * 2^-2"), "48"); // 193 / 4 = 48.25
}

TEST(RoundRatio, SmallRatios) {
  EXPECT_EQ(rounded("q3 * q4^-1"), "1"); // 97 / 193 = 0.5026
  EXPECT_EQ(rounded("q3^2 * q4^-2"), "0");
  EXPECT_EQ(rounded("2^-4000"), "0");
}

TEST(RoundRatio, RootsAreExact) {
  EXPECT_EQ(rounded("2^(45/2) * q3^(1/2)"), "58419895");
  EXPECT_EQ(rounded("q0^(1/2)"), "33554432");
  EXPECT_EQ(rounded("2^(1/2)"), "1");
  EXPECT_EQ(rounded("2^(-1/2)"), "1");
  EXPECT_EQ(rounded("q0^(3/4) * 2^(101/4) * q1^(-1/4)"), "3184525853177313");
  EXPECT_EQ(rounded("2^(1000/32) * q2^(7/32) * q3^(-1/32)"), "4341265284642");
}

// The scale of a power high up in a bootstrap's series has exponents like these.
TEST(RoundRatio, LargeExponents) {
  EXPECT_EQ(rounded("2^70090 * q0^-1400"), "1237943368349164953202320886");
  EXPECT_EQ(rounded("2^(70091/2) * q0^-700"), "49758283096368");
}

TEST(RoundRatio, RefusesWhatNoCircuitNeeds) {
  EXPECT_EQ(rounded("2^4096"), "nothing");
  EXPECT_NE(rounded("2^4095"), "nothing");
  EXPECT_EQ(rounded("q6"), "nothing");
  EXPECT_EQ(rounded("2^(1/2048)"), "nothing");
  EXPECT_EQ(rounded("2^1100000 * q0^-22000"), "nothing");
}

} // namespace
