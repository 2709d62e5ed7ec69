//===- vectors_test.cpp - the fast code against the textbook reference -----------------------===//
//
// Replays test/reference/vectors/*.json, which test/reference/ckks.py made, on every row of
// kernels.
//
//===-----------------------------------------------------------------------------------------===//
#include "runtime/ring/embedding.h"
#include "runtime/ring/galois.h"
#include "runtime/ring/uniform.h"
#include "runtime/wire/hash.h"
#include "test/runtime/client/hybrid_key_switch.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace {

using namespace sluice;
using nlohmann::json;
using test::Limbs;
using test::Row;
using test::Rows;

json load(const std::string &name) {
  std::ifstream file(std::string(SLUICE_VECTORS) + "/" + name + ".json");
  EXPECT_TRUE(file) << name;
  json document = json::parse(file);
  EXPECT_FALSE(document["cases"].empty());
  return document;
}

std::vector<json> loadCases(const std::string &name) {
  return load(name)["cases"].get<std::vector<json>>();
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

/// The rational rescale from one list of primes to another.
Rows rescale(const json &vector, const Row &source, const Row &target, const Rows &input) {
  Row table = source;
  for (uint64_t prime : target)
    if (std::ranges::find(table, prime) == table.end())
      table.push_back(prime);
  ring::Ring ring = makeRing(vector, table);
  return test::rescale(ring, indicesIn(table, source), indicesIn(table, target), input);
}

TEST(Vectors, Ntt) {
  for (const json &vector : loadCases("ntt")) {
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
  for (const json &vector : loadCases("ntt")) {
    ring::Modulus q = *ring::Modulus::create(vector["q"]);
    EXPECT_EQ(ring::primitiveRoot(q, vector["log_n"]), vector["psi"].get<uint64_t>());
  }
}

TEST(Vectors, Automorphism) {
  for (const json &vector : loadCases("automorphism")) {
    Row input = vector["input"], out(input.size());
    std::vector<uint32_t> permutation = ring::evalPermutation(vector["log_n"], vector["element"]);
    for (const kernels::KernelTable *kernels : kernels::allKernelTables()) {
      kernels->automorphism(input.size(), out.data(), input.data(), permutation.data());
      EXPECT_EQ(out, vector["output"].get<Row>()) << kernels->name << vector["element"];
    }
  }
}

TEST(Vectors, BaseConvert) {
  for (const json &vector : loadCases("base_convert")) {
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
  for (const json &vector : loadCases("rescale"))
    EXPECT_EQ(rescale(vector, vector["source"], vector["target"], vector["input"]),
              vector["output"].get<Rows>());
}

TEST(Vectors, ModDown) {
  for (const json &vector : loadCases("mod_down")) {
    Row source = vector["special"], rest = vector["source"];
    source.insert(source.end(), rest.begin(), rest.end());
    EXPECT_EQ(rescale(vector, source, vector["target"], vector["input"]),
              vector["output"].get<Rows>());
  }
}

TEST(Vectors, KeySwitch) {
  json document = load("key_switch");
  Row primes = document["limbs"];
  ring::Ring ring = makeRing(document, primes);
  test::HybridKey key{document["special"], document["key_limbs"], document["digits"], {}, {}};
  for (const json &digit : document["key"]) {
    key.b.push_back(digit["b"]);
    key.a.push_back(digit["a"]);
  }
  for (const json &vector : document["cases"]) {
    Limbs level = vector["level"], extended = test::join(key.special, level);
    auto [u, v] = test::innerProduct(ring, key, level, vector["input"]);
    EXPECT_EQ(u, vector["u"].get<Rows>());
    EXPECT_EQ(v, vector["v"].get<Rows>());
    EXPECT_EQ(test::rescale(ring, extended, level, u), vector["c0"].get<Rows>());
    EXPECT_EQ(test::rescale(ring, extended, level, v), vector["c1"].get<Rows>());
  }
}

TEST(Vectors, Encode) {
  for (const json &vector : loadCases("encode")) {
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
    EXPECT_EQ(test::toRows(std::as_const(poly).view()), vector["rows"].get<Rows>());
  }
}

TEST(Vectors, Uniform) {
  for (const json &vector : loadCases("uniform")) {
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
