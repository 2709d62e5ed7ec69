//===- security_table_test.cpp - every limit has a source, and the manual says the same ------===//

#include "runtime/abi/security_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace sluice;

/// Typed from the sources, not from the header.
const std::map<SecretDistribution, std::map<uint32_t, uint32_t>> limits = {
    {SecretDistribution::uniformTernary,
     {{12, 106}, {13, 214}, {14, 430}, {15, 868}, {16, 1747}, {17, 3523}}},
    {SecretDistribution::sparse192, {{15, 767}, {16, 1553}, {17, 3104}}},
    {SecretDistribution::ephemeral32, {{16, 117}}},
};

TEST(SecurityTable, HasTheseRowsAndNoOthers) {
  size_t rows = 0;
  for (const auto &[distribution, bits] : limits)
    for (uint32_t logN = 1; logN < 20; ++logN) {
      std::optional<SecurityRow> row = findSecurityRow(distribution, logN);
      ASSERT_EQ(row.has_value(), bits.contains(logN)) << logN;
      if (row)
        EXPECT_EQ(row->limitBits, bits.at(logN));
      rows += bits.contains(logN);
    }
  EXPECT_EQ(std::size(securityTable), rows) << "a row stands twice";
}

TEST(SecurityTable, EveryRowHasASource) {
  const std::regex paper("ePrint 20[0-9]{2}/[0-9]+");
  for (const SecurityRow &row : securityTable) {
    const std::string source(row.source), name(row.name);
    EXPECT_TRUE(std::regex_search(source, paper)) << name << ": '" << source << "'";
    bool isStandard = row.distribution == SecretDistribution::uniformTernary;
    EXPECT_EQ(source.starts_with("Security Guidelines"), isStandard) << name;
    EXPECT_EQ(source.starts_with("in use: "), !isStandard) << name;
    EXPECT_EQ(name.find("not standardised") == std::string::npos, isStandard) << name;
    EXPECT_TRUE(name.ends_with("N = 2^" + std::to_string(row.logN))) << name;
  }
}

/// The cells of the lines of docs/security.md's table.
std::vector<std::vector<std::string>> documented() {
  std::ifstream file(SLUICE_SECURITY_MD);
  EXPECT_TRUE(file.is_open());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);) {
    const bool isOfTable = line.starts_with(rows.empty() ? "| secret | N = 2^12" : "|");
    if (!isOfTable && rows.empty())
      continue;
    if (!isOfTable)
      break;
    std::stringstream cells(line.substr(1));
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, '|');)
      row.push_back(std::regex_replace(cell, std::regex("^ +| +$"), ""));
    rows.push_back(row);
  }
  return rows;
}

TEST(SecurityTable, IsTheManuals) {
  std::vector<std::vector<std::string>> rows = documented();
  ASSERT_EQ(rows.size(), 5u); // names, a rule, three secrets
  const SecretDistribution secrets[] = {SecretDistribution::uniformTernary,
                                        SecretDistribution::sparse192,
                                        SecretDistribution::ephemeral32};
  for (size_t line = 0; line < 3; ++line) {
    const std::vector<std::string> &row = rows[line + 2];
    ASSERT_EQ(row.size(), 8u); // the secret, 2^12 to 2^17, the source
    for (uint32_t logN = 12; logN <= 17; ++logN) {
      std::optional<SecurityRow> found = findSecurityRow(secrets[line], logN);
      EXPECT_EQ(row[logN - 11], found ? std::to_string(found->limitBits) : "");
    }
  }
}

TEST(SecurityTable, ALimitIsReachedButNotPassed) {
  SecurityRow row = *findSecurityRow(SecretDistribution::uniformTernary, 12);
  EXPECT_TRUE(isWithin(row, 106));
  EXPECT_FALSE(isWithin(row, 106.001));
  EXPECT_FALSE(isWithin(row, std::nan("")));
}

} // namespace
