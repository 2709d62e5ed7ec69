//===- csv_test.cpp - numbers in lines -------------------------------------------------------===//
#include "runtime/client/csv.h"

#include <cmath>
#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::client;

TEST(Csv, Reads) {
  Tensor tensor = *readCsv("1, 2.5,-3e2\n4,5,6\n", "x.csv");
  EXPECT_EQ(tensor.shape, (std::vector<uint64_t>{2, 3}));
  EXPECT_EQ(tensor.values, (std::vector<double>{1, 2.5, -300, 4, 5, 6}));
}

TEST(Csv, LineEndsAndBlankLines) {
  Tensor tensor = *readCsv("1,2\r\n\r\n3,4", "x.csv");
  EXPECT_EQ(tensor.shape, (std::vector<uint64_t>{2, 2}));
  EXPECT_EQ(tensor.values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(Csv, ColumnNamesArePassedOver) {
  EXPECT_EQ(readCsv("mean radius,mean texture\n1,2\n", "x.csv")->values,
            (std::vector<double>{1, 2}));
}

TEST(Csv, WhatIsPassedOver) {
  const std::vector<double> both = {1, 2};
  for (const char *text : {"\xEF\xBB\xBF"
                           "1,2\n",
                           "\xEF\xBB\xBF"
                           "a,b\n1,2\n",
                           "# 3,4\n1,2\n", "\n  \na,b\n1,2\n", "\"mean, worst\"\n# x\n1,2\n",
                           "a,\n1,2\n", "1,2\n# 3,4"})
    EXPECT_EQ(readCsv(text, "x.csv")->values, both) << text;
}

TEST(Csv, WhatNumbersLookLike) {
  EXPECT_EQ(readCsv("+1,+.5e1, -0.25 ,\t7.\n", "x.csv")->values,
            (std::vector<double>{1, 5, -0.25, 7}));
}

TEST(Csv, NotANumberIsAValueThatEncryptionRefuses) {
  EXPECT_TRUE(std::isnan(readCsv("nan\n", "x.csv")->values[0]));
}

TEST(Csv, Refusals) {
  auto message = [](std::string_view text) { return readCsv(text, "x.csv").message(); };
  EXPECT_EQ(message(""), "x.csv: there are no numbers");
  EXPECT_EQ(message("a,b\n"), "x.csv: there are no numbers");
  EXPECT_EQ(message("1,2\n3,x\n"), "x.csv: line 2, column 2: not a number");
  EXPECT_EQ(message("1,\n"), "x.csv: line 1, column 2: not a number");
  EXPECT_EQ(message("1,2,\n"), "x.csv: line 1, column 3: not a number");
  EXPECT_EQ(message("3\n1 2\n"), "x.csv: line 2, column 1: not a number");
  EXPECT_EQ(message("# only a comment\n"), "x.csv: there are no numbers");
  EXPECT_EQ(message("\xEF\xBB\xBF"), "x.csv: there are no numbers");
  EXPECT_EQ(message("2\n3,4\n"), "x.csv: line 2 has 2 columns, but the lines before have 1");
  EXPECT_EQ(message("1e999\n2\n"), "x.csv: line 1, column 1: beyond the range of doubles");
  EXPECT_EQ(message("1.5x,b\n1,2\n"), "x.csv: line 1, column 1: not a number");
  EXPECT_EQ(message("a,b\nc,d\n"), "x.csv: line 2, column 1: not a number");
  EXPECT_EQ(message("a;b\n1;2\n"), "x.csv: line 1: there is a ';', but commas separate the values");
  EXPECT_EQ(message("1,5;2,5\n"), "x.csv: line 1: there is a ';', but commas separate the values");
  EXPECT_EQ(message("+-1\n"), "x.csv: line 1, column 1: not a number");
  EXPECT_EQ(message(std::string_view("\xFF\xFE"
                                     "1\0",
                                     4)),
            "x.csv: this is UTF-16; save it as UTF-8");
  EXPECT_EQ(message("1,2\n3\n"), "x.csv: line 2 has 1 columns, but the lines before have 2");
}

TEST(Csv, WritesSoThatReadingGivesTheSame) {
  Tensor tensor{{2, 2, 2}, {1, 0.1, -1.0 / 3, 1e-300, 5, 6, 7, 8}};
  std::string text = writeCsv(tensor);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  Tensor back = *readCsv(text, "x.csv");
  EXPECT_EQ(back.shape, (std::vector<uint64_t>{2, 4}));
  EXPECT_EQ(back.values, tensor.values);
  EXPECT_EQ(writeCsv({{}, {2}}), "2\n");
  EXPECT_EQ(writeCsv({{3}, {1, 2, 3}}), "1\n2\n3\n");
}

} // namespace
