#include "output/history.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "errors.h"

namespace traction {
namespace {

class History : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::vector<std::string> lines() const {
    std::vector<std::string> result;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) result.push_back(line);
    return result;
  }

  void write(const std::string& text) const { std::ofstream(path_) << text; }
  std::string contents() const { return (std::ostringstream() << std::ifstream(path_).rdbuf()).str(); }

  const std::string path_ = testing::TempDir() + "traction_history_test.csv";
};

TEST_F(History, HeaderComesFirst) {
  const HistoryWriter history(path_, {"step", "time", "ball.z"});
  EXPECT_EQ(lines(), (std::vector<std::string>{"step,time,ball.z"}));
}

TEST_F(History, RowsAreInTheFileAsSoonAsTheyAreWritten) {
  HistoryWriter history(path_, {"step", "time"});
  for (int step = 1; step <= 3; ++step) {
    history.append(std::vector<double>{double(step), 0.5 * step});
    EXPECT_EQ(lines().size(), 1u + step);
  }
  EXPECT_EQ(lines().back(), "3,1.5");
}

TEST_F(History, IntegersPrintAsIntegers) {
  HistoryWriter history(path_, {"a", "b", "c", "d"});
  history.append(std::vector<double>{0, -7, 1e15, 1e5});
  EXPECT_EQ(lines()[1], "0,-7,1000000000000000,100000");
}

TEST_F(History, NumbersReadBackUnchanged) {
  const std::vector<double> row = {0.1, 1.0 / 3, -2.5e-300, 6.02214076e23, std::nextafter(1.0, 2.0), 5e-324, 9007199254740994};
  HistoryWriter history(path_, {"a", "b", "c", "d", "e", "f", "g"});
  history.append(row);
  std::istringstream line(lines()[1]);
  std::string cell;
  for (double value : row) {
    ASSERT_TRUE(std::getline(line, cell, ','));
    EXPECT_EQ(std::strtod(cell.c_str(), nullptr), value) << cell;
  }
  EXPECT_EQ(lines()[1].substr(0, 4), "0.1,");
}

TEST_F(History, InfiniteAndUndefinedNumbersAreWordsThatReadersKnow) {
  HistoryWriter history(path_, {"min_gap", "residual"});
  history.append(std::vector<double>{std::numeric_limits<double>::infinity(), std::nan("")});
  EXPECT_EQ(lines()[1], "inf,nan");
}

TEST_F(History, ARowOfAnotherLengthIsAMistake) {
  HistoryWriter history(path_, {"step", "time"});
  EXPECT_THROW(history.append(std::vector<double>{1}), std::logic_error);
}

TEST_F(History, GoesOnAfterAStep) {
  write("step,time\n1,0.5\n2,1\n3,1.5\n4,2");  // the last row was cut short
  HistoryWriter history(path_, {"step", "time"}, 2);
  EXPECT_EQ(lines(), (std::vector<std::string>{"step,time", "1,0.5", "2,1"}));
  history.append(std::vector<double>{3, 1.25});
  EXPECT_EQ(lines().back(), "3,1.25");
  EXPECT_THROW(history.append(std::vector<double>{4}), std::logic_error);
}

TEST_F(History, MayHaveBegunLate) {
  write("step,time\n7,0.5\n8,1\n9,1.5\n");
  HistoryWriter(path_, {"step", "time"}, 8);
  EXPECT_EQ(lines(), (std::vector<std::string>{"step,time", "7,0.5", "8,1"}));
}

TEST_F(History, MayBeginAfterTheStep) {  // where an earlier file was lost, and then the steps since
  for (const char* rows : {"", "3,1.5", "3,1.5\n4,2\n"}) {
    write(std::string("step,time\n") + rows);
    EXPECT_FALSE(HistoryWriter(path_, {"step", "time"}, 2).has_earlier_rows());
    EXPECT_EQ(lines(), (std::vector<std::string>{"step,time"}));
  }
}

TEST_F(History, GoesOnFromTheStart) {
  write("step,time\n1,0.5\n");
  HistoryWriter(path_, {"step", "time"}, 0);
  EXPECT_EQ(lines(), (std::vector<std::string>{"step,time"}));
}

TEST_F(History, DoesNotGoOnWhereARowIsMissing) {
  for (const char* text : {"1,0.5\n", "1,0.5\n2,1", "1,0.5\n3,1.5\n", "1,0.5\n2\n3,1\n", "1,0.5\n1,0.5\n2,1\n", "1,0.5\nx,1\n"}) {
    write(std::string("step,time\n") + text);
    EXPECT_THROW(HistoryWriter(path_, {"step", "time"}, 2), InputError) << text;
    EXPECT_EQ(contents(), std::string("step,time\n") + text);
  }
}

TEST_F(History, DoesNotGoOnUnderOtherColumns) {
  write("step,time\n1,0.5\n");
  EXPECT_THROW(HistoryWriter(path_, {"step", "dt"}, 1), InputError);
  EXPECT_THROW(HistoryWriter(path_, {"step"}, 1), InputError);
}

TEST_F(History, GoingOnWithoutAFileIsAFileError) { EXPECT_THROW(HistoryWriter(path_, {"step"}, 1), FileError); }

TEST_F(History, AFolderThatIsMissingIsAFileError) { EXPECT_THROW(HistoryWriter(path_ + "/missing/history.csv", {"step"}), FileError); }

TEST_F(History, AFullDiskIsAFileErrorThatNamesTheFile) {
  try {
    HistoryWriter history("/dev/full", {"step"});
    history.append(std::vector<double>{1});
    FAIL() << "nothing was thrown";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/full"), std::string::npos);
  }
}

TEST_F(History, ARowThatDoesNotFitCanBeAppendedAgain) {
  HistoryWriter history(path_, {"step", "time"});
  history.append(std::vector<double>{1, 0.5});
  const double checksum = history.checksum();
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit little = before;
  little.rlim_cur = contents().size() + 3;  // a part of the row
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  EXPECT_THROW(history.append(std::vector<double>{2, 0.125}), FileError);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(lines(), (std::vector<std::string>{"step,time", "1,0.5"}));
  EXPECT_EQ(history.checksum(), checksum);
  history.append(std::vector<double>{2, 0.125});
  EXPECT_EQ(lines(), (std::vector<std::string>{"step,time", "1,0.5", "2,0.125"}));
}

}  // namespace
}  // namespace traction
