//===- vectors_test.cpp - the fast code against the textbook reference -----------------------===//
//
// Replays test/reference/vectors/*.json, which test/reference/ckks.py made, on every row of
// kernels.
//
//===-----------------------------------------------------------------------------------------===//
#include "runtime/client/limb_change.h"
#include "runtime/ring/base_conversion.h"
#include "runtime/ring/embedding.h"
#include "runtime/ring/galois.h"
#include "runtime/ring/uniform.h"
#include "runtime/wire/hash.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace {

using namespace sluice;
using nlohmann::json;
using Row = std::vector<uint64_t>;
using Rows = std::vector<Row>;
using Limbs = std::vector<uint16_t>;

json load(const std::string &name) {
  std::ifstream file(std::string(SLUICE_VECTORS) + "/" + name + ".json");
  EXPECT_TRUE(file) << name;
  json document = json::parse(file);
  EXPECT_FALSE(document["cases"].empty());
  return document;
}

ring::Ring makeRing(const json &vector, const Row &primes) {
  Expected<ring::Ring> ring = ring::Ring::create(vector["log_n"].get<unsigned>(), primes);
  EXPECT_TRUE(ring) << ring.message();
  return std::move(*ring);
}

/// Indices of `primes` in `table`.
Limbs indicesIn(const Row &table, const Row &primes) {
  Limbs limbs;
  for (uint64_t prime : primes)
    limbs.push_back(static_cast<uint16_t>(std::ranges::find(table, prime) - table.begin()));
  return limbs;
}

client::SecretRows copyRows(const Rows &rows) {
  client::SecretRows out(rows.size(), rows[0].size());
  for (size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(rows[i], out.row(i));
  return out;
}

Rows toRows(ring::ConstPolyView poly) {
  Rows rows;
  for (size_t i = 0; i < poly.limbCount; ++i)
    rows.emplace_back(poly.limb(i), poly.limb(i) + poly.degree);
  return rows;
}

/// The rational rescale from one list of primes to another.
Rows rescale(const json &vector, const Row &source, const Row &target, const Rows &input) {
  Row table = source;
  for (uint64_t prime : target)
    if (std::ranges::find(table, prime) == table.end())
      table.push_back(prime);
  ring::Ring ring = makeRing(vector, table);
  ThreadPool pool(2);
  ring::Poly out(target.size(), ring.degree());
  client::rescaleLimbs(ring, pool, indicesIn(table, source), copyRows(input),
                       indicesIn(table, target), out.view());
  return toRows(std::as_const(out).view());
}

TEST(Vectors, Ntt) {
  for (const json &vector : load("ntt")["cases"]) {
    ring::Ring ring = makeRing(vector, {vector["q"]});
    Row coefficients = vector["coefficients"], evaluations = vector["evaluations"];
    Row out(coefficients.size());
    for (const kernels::KernelTable *kernels : kernels::allKernelTables()) {
      kernels->ntt(ring.tables(0), out.data(), coefficients.data());
      EXPECT_EQ(out, evaluations) << kernels->name << " " << vector["q"];
      kernels->intt(ring.tables(0), out.data(), evaluations.data());
      EXPECT_EQ(out, coefficients) << kernels->name << " " << vector["q"];
    }
  }
}

TEST(Vectors, PrimitiveRoot) {
  for (const json &vector : load("ntt")["cases"]) {
    ring::Modulus q = *ring::Modulus::create(vector["q"]);
    EXPECT_EQ(ring::primitiveRoot(q, vector["log_n"]), vector["psi"].get<uint64_t>());
  }
}

TEST(Vectors, Automorphism) {
  for (const json &vector : load("automorphism")["cases"]) {
    Row input = vector["input"], out(input.size());
    std::vector<uint32_t> permutation = ring::evalPermutation(vector["log_n"], vector["element"]);
    for (const kernels::KernelTable *kernels : kernels::allKernelTables()) {
      kernels->automorphism(input.size(), out.data(), input.data(), permutation.data());
      EXPECT_EQ(out, vector["output"].get<Row>()) << kernels->name << vector["element"];
    }
  }
}

TEST(Vectors, BaseConvert) {
  for (const json &vector : load("base_convert")["cases"]) {
    Row source = vector["source"], target = vector["target"], table = source;
    table.insert(table.end(), target.begin(), target.end());
    ring::Ring ring = makeRing(vector, table);
    ring::BaseConversion conversion(*ring::Basis::create(ring, indicesIn(table, source)),
                                    *ring::Basis::create(ring, indicesIn(table, target)));
    Rows input = vector["input"], out(target.size(), Row(ring.degree()));
    std::vector<const uint64_t *> sources;
    std::vector<uint64_t *> destinations;
    for (const Row &row : input)
      sources.push_back(row.data());
    for (Row &row : out)
      destinations.push_back(row.data());
    for (const kernels::KernelTable *kernels : kernels::allKernelTables()) {
      kernels->baseConvert(conversion.tables(), ring.degree(), destinations.data(), sources.data());
      EXPECT_EQ(out, vector["output"].get<Rows>()) << kernels->name;
    }
  }
}

TEST(Vectors, Rescale) {
  for (const json &vector : load("rescale")["cases"])
    EXPECT_EQ(rescale(vector, vector["source"], vector["target"], vector["input"]),
              vector["output"].get<Rows>());
}

TEST(Vectors, ModDown) {
  for (const json &vector : load("mod_down")["cases"]) {
    Row source = vector["special"], rest = vector["source"];
    source.insert(source.end(), rest.begin(), rest.end());
    EXPECT_EQ(rescale(vector, source, vector["target"], vector["input"]),
              vector["output"].get<Rows>());
  }
}

/// The digits of a level: rows over P and the level, evaluation form, digit after digit.
Rows extendDigits(const ring::Ring &ring, const std::vector<Limbs> &digits, const Limbs &level,
                  const Limbs &extended, Rows input) {
  const kernels::KernelTable &kernels = ring.kernels();
  for (size_t i = 0; i < level.size(); ++i)
    kernels.intt(ring.tables(level[i]), input[i].data(), input[i].data());
  Rows out;
  for (const Limbs &digit : digits) {
    Limbs alive;
    std::vector<const uint64_t *> sources;
    for (size_t i = 0; i < level.size(); ++i) {
      if (std::ranges::find(digit, level[i]) != digit.end()) {
        alive.push_back(level[i]);
        sources.push_back(input[i].data());
      }
    }
    if (alive.empty())
      continue;
    Rows rows(extended.size(), Row(ring.degree()));
    std::vector<uint64_t *> destinations;
    for (Row &row : rows)
      destinations.push_back(row.data());
    ring::BaseConversion conversion(*ring::Basis::create(ring, alive),
                                    *ring::Basis::create(ring, extended));
    kernels.baseConvert(conversion.tables(), ring.degree(), destinations.data(), sources.data());
    for (size_t i = 0; i < rows.size(); ++i)
      kernels.ntt(ring.tables(extended[i]), rows[i].data(), rows[i].data());
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

TEST(Vectors, KeySwitch) {
  json document = load("key_switch");
  Row primes = document["limbs"];
  ring::Ring ring = makeRing(document, primes);
  std::vector<Limbs> digits = document["digits"];
  Limbs special = document["special"], keyLimbs = document["key_limbs"];
  for (const json &vector : document["cases"]) {
    Limbs level = vector["level"], extended = special;
    extended.insert(extended.end(), level.begin(), level.end());
    Rows extendedDigits = extendDigits(ring, digits, level, extended, vector["input"]);
    std::vector<size_t> alive;
    for (size_t j = 0; j < digits.size(); ++j)
      if (std::ranges::find_first_of(digits[j], level) != digits[j].end())
        alive.push_back(j);
    Rows u(extended.size(), Row(ring.degree())), v = u;
    for (size_t i = 0; i < extended.size(); ++i) {
      size_t keyRow =
          static_cast<size_t>(std::ranges::find(keyLimbs, extended[i]) - keyLimbs.begin());
      Rows b, a;
      std::vector<const uint64_t *> digitRows, bRows, aRows;
      for (size_t j : alive) {
        b.push_back(document["key"][j]["b"][keyRow]);
        a.push_back(document["key"][j]["a"][keyRow]);
      }
      for (size_t j = 0; j < alive.size(); ++j) {
        digitRows.push_back(extendedDigits[j * extended.size() + i].data());
        bRows.push_back(b[j].data());
        aRows.push_back(a[j].data());
      }
      ring.kernels().innerProduct(ring.modulus(extended[i]).constants(), ring.degree(), u[i].data(),
                                  v[i].data(), alive.size(), digitRows.data(), bRows.data(),
                                  aRows.data());
    }
    EXPECT_EQ(u, vector["u"].get<Rows>());
    EXPECT_EQ(v, vector["v"].get<Rows>());
    Row source, target;
    for (uint16_t limb : extended)
      source.push_back(primes[limb]);
    for (uint16_t limb : level)
      target.push_back(primes[limb]);
    EXPECT_EQ(rescale(document, source, target, u), vector["c0"].get<Rows>());
    EXPECT_EQ(rescale(document, source, target, v), vector["c1"].get<Rows>());
  }
}

TEST(Vectors, Encode) {
  for (const json &vector : load("encode")["cases"]) {
    Row primes = vector["limbs"];
    ring::Ring ring = makeRing(vector, primes);
    std::vector<std::complex<double>> values;
    for (const json &value : vector["values"])
      values.emplace_back(value[0], value[1]);
    Limbs limbs(primes.size());
    std::iota(limbs.begin(), limbs.end(), uint16_t{0});
    ring::Poly poly(limbs.size(), ring.degree());
    ring::Scale2 scale{vector["scale"].get<double>(), 0};
    ASSERT_TRUE(ring::encodeSlots(ring, limbs, values, scale, poly.view()).isOk());
    std::vector<int64_t> coefficients = vector["coefficients"];
    for (size_t k = 0; k < coefficients.size(); ++k)
      EXPECT_EQ(poly.limb(0)[k], ring.modulus(0).reduceSigned(coefficients[k])) << k;
    ThreadPool pool(1);
    ring::toEvalInPlace(ring, limbs, poly.view(), pool);
    EXPECT_EQ(toRows(std::as_const(poly).view()), vector["rows"].get<Rows>());
  }
}

TEST(Vectors, Uniform) {
  for (const json &vector : load("uniform")["cases"]) {
    std::optional<std::vector<uint8_t>> bytes =
        wire::fromHex(vector["seed"].get<std::string>(), 32);
    ASSERT_TRUE(bytes);
    Row expected = vector["values"], out(expected.size());
    ring::expandUniformLimb(std::span<const uint8_t, 32>(*bytes), vector["digit"], vector["limb"],
                            *ring::Modulus::create(vector["q"]), out);
    EXPECT_EQ(out, expected);
  }
}

} // namespace
