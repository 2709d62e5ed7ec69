//===- arguments_test.cpp - the command line -------------------------------------------------===//
#include "tools/sluice-client/arguments.h"

#include <gtest/gtest.h>

namespace {

using namespace sluice;
using namespace sluice::tools;
using Words = std::vector<const char *>;

TEST(Arguments, Commands) {
  Arguments inspect = *parseArguments(Words{"inspect", "p.sluice", "--json"});
  EXPECT_EQ(inspect.command, Command::inspect);
  EXPECT_EQ(inspect.program, "p.sluice");
  EXPECT_TRUE(inspect.json);

  Arguments keygen = *parseArguments(Words{"keygen", "p.sluice", "-o", "keys", "--force"});
  EXPECT_EQ(keygen.command, Command::keygen);
  EXPECT_EQ(keygen.output, "keys");
  EXPECT_TRUE(keygen.force);
  EXPECT_FALSE(keygen.allowInsecure);

  Arguments encrypt = *parseArguments(Words{"encrypt", "p.sluice", "--key", "public.key", "x.npy",
                                            "-o", "x.ct", "--input", "x", "--allow-insecure"});
  EXPECT_EQ(encrypt.command, Command::encrypt);
  EXPECT_EQ(encrypt.key, "public.key");
  EXPECT_EQ(encrypt.positional, "x.npy");
  EXPECT_EQ(encrypt.input, "x");
  EXPECT_TRUE(encrypt.allowInsecure);

  Arguments decrypt =
      *parseArguments(Words{"decrypt", "-o", "y.csv", "p.sluice", "y.ct", "--key", "s"});
  EXPECT_EQ(decrypt.command, Command::decrypt);
  EXPECT_EQ(decrypt.program, "p.sluice");
  EXPECT_EQ(decrypt.positional, "y.ct");
  EXPECT_FALSE(decrypt.share);
  EXPECT_EQ(decrypt.leastDeviation, 0);
  decrypt = *parseArguments(Words{"decrypt", "-o", "y.csv", "p.sluice", "y.ct", "--key", "s",
                                  "--share", "--least-deviation", "0.25"});
  EXPECT_TRUE(decrypt.share);
  EXPECT_EQ(decrypt.leastDeviation, 0.25);

  EXPECT_EQ(parseArguments(Words{"--help"})->command, Command::help);
  EXPECT_EQ(parseArguments(Words{"keygen", "-h"})->command, Command::help);
  EXPECT_EQ(parseArguments(Words{"--version"})->command, Command::version);
}

TEST(Arguments, Refusals) {
  struct Case {
    Words words;
    const char *message;
  };
  const Case cases[] = {
      {{}, "a command is missing"},
      {{"run"}, "there is no command 'run'"},
      {{"inspect"}, "the program is missing"},
      {{"inspect", "p", "q"}, "'q' is one argument too many"},
      {{"inspect", "p", "-o", "x"}, "there is no option '-o' here"},
      {{"inspect", "p", "--force"}, "there is no option '--force' here"},
      {{"inspect", "p", "--jsn"}, "there is no option '--jsn' here"},
      {{"inspect", ""}, "there is no option '' here"},
      {{"encrypt", "p", "--share"}, "there is no option '--share' here"},
      {{"decrypt", "p", "c", "-o", "y", "--key", "s", "--least-deviation", "1"},
       "--least-deviation is for --share"},
      {{"decrypt", "p", "c", "-o", "y", "--key", "s", "--share", "--least-deviation", "1x"},
       "--least-deviation needs a number that is not negative, not '1x'"},
      {{"decrypt", "p", "c", "-o", "y", "--key", "s", "--share", "--least-deviation", "-1"},
       "--least-deviation needs a number that is not negative, not '-1'"},
      {{"decrypt", "p", "c", "-o", "y", "--key", "s", "--share", "--least-deviation", "nan"},
       "--least-deviation needs a number that is not negative, not 'nan'"},
      {{"keygen", "p"}, "-o is missing"},
      {{"keygen", "p", "-o"}, "-o needs one value"},
      {{"keygen", "p", "-o", "a", "-o", "b"}, "-o needs one value"},
      {{"keygen", "p", "-o", ""}, "-o needs one value"},
      {{"encrypt", "p", "x.npy", "-o", "c"}, "--key is missing"},
      {{"encrypt", "p", "--key", "k", "-o", "c"}, "the values are missing"},
      {{"decrypt", "p", "--key", "k", "-o", "c"}, "the ciphertext is missing"},
      {{"decrypt", "p", "c", "--key", "k", "-o", "y", "--input", "x"},
       "there is no option '--input' here"},
  };
  for (const Case &wrong : cases) {
    Expected<Arguments> arguments = parseArguments(wrong.words);
    EXPECT_EQ(arguments.message(), wrong.message);
    EXPECT_EQ(arguments.status().code(), StatusCode::invalidArgument);
  }
}

} // namespace
