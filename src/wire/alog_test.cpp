#include "wire/alog.hpp"
#include <test_paths.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

namespace caribou::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<AlogEntry> entries_of(std::string_view text) {
    std::vector<AlogEntry> all;
    AlogReader reader(text);
    while (const auto entry = reader.next()) all.push_back(*entry);
    return all;
}

/// Returns the value of an entry, from the line or from the side file.
std::string_view payload_of(const AlogEntry& entry, std::string_view side) {
    if (!entry.reference) return entry.text;
    return side.substr(entry.reference->offset, entry.reference->bytes);
}

std::string golden(const std::string& name) {
    std::ifstream file(tests::in_repository("tests/golden/alog/") + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

MessageView number(std::string_view key, double time, double value) {
    return {.type = MessageType::notify, .source = "pNav", .key = key, .time = time, .value = value};
}
MessageView text(std::string_view key, double time, std::string_view value) {
    return {.type = MessageType::notify,
            .data_type = DataType::string,
            .source = "pHelm",
            .aux = "loiter:2",
            .key = key,
            .time = time,
            .payload = value};
}

/// Values that programs of MOOS-IvP published: reports, requests and states, also very long ones.
TEST(AlogWriter, KeepsCapturedValuesOfMoosPrograms) {
    for (const auto* name : {"moos-appcast/appcast_strings.txt", "moos-appcast/realmcast_strings.txt",
                             "moos-marine/helm_strings.txt", "moos-marine/view_strings_helm.txt"}) {
        std::ifstream file(tests::in_repository("tests/golden/") + name);
        AlogWriter writer("run", 0);
        std::vector<std::string> values;
        for (std::string line; std::getline(file, line);) {
            const std::size_t column = line.find("| S | ");
            if (line.starts_with('#') || column == std::string::npos) continue;
            values.push_back(line.substr(column + 6));
            writer.add(text(line.substr(0, line.find(' ')), 1, values.back()));
        }
        const auto entries = entries_of(writer.lines());
        ASSERT_EQ(entries.size(), values.size()) << name;
        EXPECT_GT(values.size(), 5U) << name;
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_EQ(payload_of(entries[i], writer.side()), values[i]) << name;
    }
}

TEST(AlogWriter, WritesTheGoldenFile) {
    constexpr double start = 1'800'000'000.5;
    AlogWriter writer("logs/run_001", start);
    writer.add(number("NAV_X", start - 100, -3.25));
    writer.add(number("NAV_LONGITUDE_PREDICTED_BY_FILTER", start + 0.2, 0.1));
    writer.add(text("MODE", start + 1.25, "SURVEY and return"));
    writer.add(text("ROUTE", start + 1.5, "7"));
    writer.add(text("ROUTE", start + 2, "8"));
    writer.add(text("TABLE", start + 2.5, "two\nlines"));
    writer.add(text("EMPTY", start + 3, ""));
    MessageView image{
        .data_type = DataType::binary, .source = "iCamera", .key = "IMAGE", .time = start + 100};
    image.payload = std::string_view("\0\xff\n", 3);
    writer.add(image);
    writer.add(number("RATIO", start + 1000, NAN));
    EXPECT_EQ(writer.lines(), golden("run_001.alog"));
    EXPECT_EQ(writer.side(), golden("run_001.blog"));
}

TEST(AlogWriter, WritesTheRealDateOfALogWithWarpedTimes) {
    const AlogWriter writer("run", 18e9, AlogWriter::Awkward::aside, {.opened = 18e8});
    EXPECT_NE(writer.lines().find("%% FILE OPENED ON  Fri Jan 15 08:00:00 2027\n"), std::string_view::npos);
    EXPECT_NE(writer.lines().find("18000000000.000000"), std::string_view::npos);
}

TEST(AlogWriter, RefersToNoSideFileIfItEscapesWhatDoesNotFitIntoALine) {
    AlogWriter writer("run", 0, AlogWriter::Awkward::escaped);
    for (const std::string_view value :
         {std::string_view("two\r\nlines"), std::string_view("  blank"), std::string_view("a\0b", 3),
          std::string_view("<MOOS_BINARY>x"), std::string_view("\n")})
        writer.add(text("ANSWER", 1, value));
    EXPECT_EQ(writer.side(), "");
    const std::string log(writer.lines());
    std::vector<std::string> values;
    for (const AlogEntry& entry : entries_of(log)) {
        EXPECT_EQ(entry.type, DataType::string);
        values.emplace_back(entry.text);
    }
    EXPECT_THAT(values, ElementsAre("two\\nlines", "blank", "a\\x00b", "\\<MOOS_BINARY>x", ""));
}

TEST(AlogReader, ReadsTheGoldenFile) {
    const std::string log = golden("run_001.alog");
    const std::string side = golden("run_001.blog");
    AlogReader reader(log);
    const auto first = reader.next();
    ASSERT_TRUE(first);
    EXPECT_EQ(reader.log_start(), 1'800'000'000.5);
    EXPECT_EQ(first->time, 0);
    EXPECT_EQ(first->variable, "NAV_X");
    EXPECT_EQ(first->number, -3.25);
    const auto all = entries_of(log);
    ASSERT_THAT(all, SizeIs(9));
    EXPECT_EQ(all[2].source, "pHelm");
    EXPECT_EQ(all[2].aux, "loiter:2");
    EXPECT_EQ(all[2].text, "SURVEY and return");
    EXPECT_EQ(all[3].type, DataType::string);
    EXPECT_EQ(all[5].type, DataType::string);
    EXPECT_EQ(payload_of(all[5], side), "two\nlines");
    EXPECT_EQ(all[6].text, "");
    EXPECT_EQ(all[7].type, DataType::binary);
    EXPECT_EQ(payload_of(all[7], side), std::string_view("\0\xff\n", 3));
    EXPECT_EQ(all[8].type, DataType::number);
    EXPECT_TRUE(std::isnan(all[8].number));
    EXPECT_EQ(alog_end(log), 1000);
}

TEST(AlogReader, ReadsWhatOtherLoggersWrite) {
    const std::string log =
        "%%%%%%%\r\n%% LOG FILE:       ./MOOSLog.alog\r\n%% LOGSTART               1800000000.5\r\n"
        "%% DATATYPE MARKING ON\r\n\r\n"
        "1.5\tNAV_X\tpNav\tD:12.5\r\n"
        "1800000002.5    MODE   pHelm:aux  S:5 \r\n"
        "3   IMAGE  iCamera  B:<MOOS_BINARY>File=MOOSLog.blog,Offset=4,Bytes=2</MOOS_BINARY>\r\n"
        "4 PLAIN x north";
    const auto all = entries_of(log);
    ASSERT_THAT(all, SizeIs(4));
    EXPECT_EQ(
        all[0],
        (AlogEntry{.time = 1.5, .variable = "NAV_X", .source = "pNav", .number = 12.5, .text = "12.5"}));
    EXPECT_EQ(all[1], (AlogEntry{.time = 2,
                                 .variable = "MODE",
                                 .source = "pHelm",
                                 .aux = "aux",
                                 .type = DataType::string,
                                 .text = "5 "}));
    EXPECT_EQ(all[2].reference, (AlogReference{.file = "MOOSLog.blog", .offset = 4, .bytes = 2}));
    EXPECT_EQ(all[3].text, "north");
}

TEST(AlogReader, PassesOverAndCountsWhatMakesNoSense) {
    AlogReader reader("not a line\n1.0 NAV_X\nnan A B C\n\n2 A B 3\n%% a remark\n3");
    EXPECT_EQ(reader.next()->time, 2);
    EXPECT_EQ(reader.next(), std::nullopt);
    EXPECT_EQ(reader.passed_over(), 4u);
}

TEST(AlogReader, TakesABadReferenceForAText) {
    for (const std::string_view value :
         {"<MOOS_BINARY>", "<MOOS_BINARY></MOOS_BINARY>", "<MOOS_BINARY>File=,Offset=1,Bytes=2</MOOS_BINARY>",
          "<MOOS_BINARY>File=a,Offset=-1,Bytes=2</MOOS_BINARY>",
          "<MOOS_BINARY>File=a,Offset=99999999999999999999,Bytes=2</MOOS_BINARY>"}) {
        const std::string line = "1 A B " + std::string(value);
        const auto all = entries_of(line);
        ASSERT_THAT(all, SizeIs(1));
        EXPECT_EQ(all[0].type, DataType::string) << value;
        EXPECT_EQ(all[0].text, value);
    }
}

TEST(AlogReader, FindsTheEndOfALogCutShort) {
    EXPECT_EQ(alog_end(""), std::nullopt);
    EXPECT_EQ(alog_end("%% LOGSTART 1800000000\n"), std::nullopt);
    EXPECT_EQ(alog_end("%% LOGSTART 1800000000\n1 A B 1\n1800000007 A B 2\n9 A"), 7);
}

TEST(AlogWriter, KeepsColumnsApartWhateverTheNames) {
    AlogWriter writer("x", 0);
    writer.add({.source = "", .aux = "a b", .key = "A\tB C", .time = 1, .value = 2});
    EXPECT_THAT(entries_of(writer.lines()),
                ElementsAre(AlogEntry{
                    .time = 1, .variable = "A_B_C", .source = "-", .aux = "a_b", .number = 2, .text = "2"}));
}

RC_GTEST_PROP(Alog, GivesBackEveryValueAndItsType, ()) {
    struct Value {
        DataType type;
        double number;
        std::string text;
    };
    const auto texts = rc::gen::oneOf(rc::gen::arbitrary<std::string>(),
                                      rc::gen::element<std::string>("5", " 5", "", "nan", "\n", "a ",
                                                                    "<MOOS_BINARY>x", "D:5", "-1e3", "\t"));
    const auto values = *rc::gen::container<std::vector<Value>>(rc::gen::build<Value>(
        rc::gen::set(&Value::type, rc::gen::element(DataType::number, DataType::string, DataType::binary)),
        rc::gen::set(&Value::number, rc::gen::arbitrary<double>()), rc::gen::set(&Value::text, texts)));
    AlogWriter writer("run", 1'800'000'000);
    for (const Value& value : values)
        writer.add({.data_type = value.type,
                    .source = "s",
                    .key = "X",
                    .time = 1'800'000'001.5,
                    .value = value.number,
                    .payload = value.text});
    const auto all = entries_of(writer.lines());
    RC_ASSERT(all.size() == values.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        RC_ASSERT(all[i].type == values[i].type);
        RC_ASSERT(all[i].time == 1.5);
        if (values[i].type == DataType::number)
            RC_ASSERT(all[i].number == values[i].number || std::isnan(values[i].number));
        else
            RC_ASSERT(payload_of(all[i], writer.side()) == values[i].text);
    }
}

}  // namespace
}  // namespace caribou::wire
