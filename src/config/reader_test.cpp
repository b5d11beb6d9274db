#include "config/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/text.hpp"

namespace caribou::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Values {
    int count = 3;
    std::size_t size = 8;
    double share = 0.5;
    Duration limit = 2s;
    bool on = false;
    std::string kind = "sim";
    std::vector<std::string> peers{"a"};
    Address listen = Address::ip("127.0.0.1", 1);
    std::string color = "red";  ///< as a Word
};

const Schema<Values>& schema() {
    static const Schema<Values> all({
        {{.section = "",
          .name = "count",
          .low = 1,
          .high = 9,
          .what = "how many",
          .setting = Setting::at_once},
         [](Values& v) -> Place { return &v.count; }},
        {{.section = "", .name = "size", .low = 0, .high = 99, .unit = "MiB"},
         [](Values& v) -> Place { return &v.size; }},
        {{.section = "part", .name = "share", .low = 0, .high = 1},
         [](Values& v) -> Place { return &v.share; }},
        {{.section = "part", .name = "limit", .low = 1, .high = 60, .unit = "s"},
         [](Values& v) -> Place { return &v.limit; }},
        {{.section = "part", .name = "on"}, [](Values& v) -> Place { return &v.on; }},
        {{.section = "part", .name = "kind", .words = {"sim", "null"}},
         [](Values& v) -> Place { return &v.kind; }},
        {{.section = "part", .name = "peers"}, [](Values& v) -> Place { return &v.peers; }},
        {{.section = "part", .name = "listen"}, [](Values& v) -> Place { return &v.listen; }},
        {{.section = "part", .name = "color"},
         [](Values& v) -> Place {
             return Word{.expected = "`red` or `blue`",
                         .set =
                             [&v](const std::string& text) {
                                 if (text != "red" && text != "blue") return false;
                                 v.color = text;
                                 return true;
                             },
                         .text = [&v] { return v.color; }};
         }},
    });
    return all;
}

struct Outcome {
    Values values{};
    std::vector<std::string> faults{};
    std::string printed{};
};

Outcome read(const std::string& text, std::vector<Reader::Table> tables = {}) {
    Outcome outcome;
    const NamedText file{"f.toml", text};
    const auto places = schema().places(outcome.values);
    Reader reader(file, schema().keys(), places, std::move(tables));
    reader.read();
    outcome.printed = file_text(schema().keys(), places, reader.lines(), file.name);
    for (const TextFault& fault : reader.take_faults()) outcome.faults.push_back(to_string(fault));
    return outcome;
}

constexpr std::string_view everything = R"(count = 4
size = 9
[part]
share = 1
limit = 1.5
on = true
kind = "null"
peers = ["b", "c"]
listen = "0.0.0.0:80"
color = "blue"
)";

TEST(ConfigReader, StoresValuesOfEveryType) {
    const Outcome outcome = read(std::string(everything));
    EXPECT_THAT(outcome.faults, IsEmpty());
    const Values& v = outcome.values;
    EXPECT_EQ(v.count, 4);
    EXPECT_EQ(v.size, 9U);
    EXPECT_EQ(v.share, 1);
    EXPECT_EQ(v.limit, 1500ms);
    EXPECT_TRUE(v.on);
    EXPECT_EQ(v.kind, "null");
    EXPECT_THAT(v.peers, ElementsAre("b", "c"));
    EXPECT_EQ(v.listen, Address::ip("0.0.0.0", 80));
    EXPECT_EQ(v.color, "blue");
}

TEST(ConfigReader, ReportsWhatWasExpectedInPlaceOfEachInvalidValueAndKeepsTheDefault) {
    const Outcome outcome = read(R"(count = 4.5
size = -1
[part]
share = "half"
limit = 0.5
on = 1
kind = "real"
peers = 1
listen = "nowhere"
color = "green"
)");
    EXPECT_THAT(
        outcome.faults,
        ElementsAre("f.toml:1:9: count is 4.5; expected a whole number from 1 to 9",
                    "f.toml:2:8: size is -1; expected a whole number from 0 to 99 (MiB)",
                    "f.toml:4:9: part.share is \"half\"; expected a number from 0 to 1",
                    "f.toml:5:9: part.limit is 0.5; expected a number from 1 to 60 (s)",
                    "f.toml:6:6: part.on is 1; expected true or false",
                    "f.toml:7:8: part.kind is \"real\"; expected `sim` or `null`",
                    "f.toml:8:9: part.peers is 1; expected a list of texts",
                    "f.toml:9:10: part.listen is \"nowhere\"; expected an address such as `127.0.0.1:9600`",
                    "f.toml:10:9: part.color is \"green\"; expected `red` or `blue`"));
    EXPECT_EQ(outcome.values.count, 3);
    EXPECT_EQ(outcome.values.limit, 2s);
    EXPECT_THAT(outcome.values.peers, ElementsAre("a"));
    EXPECT_EQ(outcome.values.color, "red");
}

TEST(ConfigReader, ReportsListsTablesAndDatesInPlaceOfValues) {
    EXPECT_THAT(read("count = [1, 2]").faults, ElementsAre(HasSubstr("count is a list; expected")));
    EXPECT_THAT(read("[count]\nx = 1").faults, ElementsAre(HasSubstr("count is a table; expected")));
    EXPECT_THAT(read("count = 1979-05-27").faults, ElementsAre(HasSubstr("count is 1979-05-27; expected")));
    EXPECT_THAT(read("part = 1").faults, ElementsAre(HasSubstr("there is no key `part`")));
}

TEST(ConfigReader, TakesAListOfOneForItsValueAndATextForAListOfIt) {
    const Outcome outcome = read("count = [4]\n[part]\nkind = [\"null\"]\npeers = \"b\"\n");
    EXPECT_THAT(outcome.faults, IsEmpty());
    EXPECT_EQ(outcome.values.count, 4);
    EXPECT_EQ(outcome.values.kind, "null");
    EXPECT_THAT(outcome.values.peers, ElementsAre("b"));
}

TEST(ConfigReader, SuggestsNamesForUnknownOnes) {
    EXPECT_THAT(read("coun = 1\n[part]\nshar = 1\n[pat]\n").faults,
                ElementsAre("f.toml:1:1: there is no key `coun`; did you mean `count`?",
                            "f.toml:3:1: there is no key `shar` in [part]; did you mean `share`?",
                            "f.toml:4:2: there is no section `pat`; did you mean `part`?"));
    EXPECT_THAT(read("[dail]\n", {{"dial", [](const JsonNode&) {}}}).faults,
                ElementsAre("f.toml:1:2: there is no section `dail`; did you mean `dial`?"));
}

TEST(ConfigReader, LeavesTablesToTheirOwnReaders) {
    std::vector<std::string> seen;
    const auto outcome = read("[dial]\nmole = 1\n", {{"dial", [&](const JsonNode& node) {
                                                          for (const JsonNode& each : node.items)
                                                              seen.push_back(each.key);
                                                      }}});
    EXPECT_THAT(outcome.faults, IsEmpty());
    EXPECT_THAT(seen, ElementsAre("mole"));
}

TEST(ConfigText, ReadsAsThatFromWhichItWasPrinted) {
    const std::string printed = read(std::string(everything)).printed;
    EXPECT_THAT(printed, HasSubstr("limit = 1.5                              # f.toml:5\n"));
    const Outcome again = read(printed);
    EXPECT_THAT(again.faults, IsEmpty());
    EXPECT_EQ(again.values.listen, Address::ip("0.0.0.0", 80));
    EXPECT_THAT(read("").printed, HasSubstr("size = 8                                 # default\n"));
}

TEST(ConfigText, HasATableForEachSection) {
    Values defaults;
    const std::string page = page_text(schema().keys(), schema().places(defaults), true);
    EXPECT_THAT(page, HasSubstr("## At the top\n"));
    EXPECT_THAT(page, HasSubstr("| `count` | whole number from 1 to 9 |  | `3` | at once | how many |\n"));
    EXPECT_THAT(page, HasSubstr("## [part]\n"));
    EXPECT_THAT(page, HasSubstr("| `limit` | number from 1 to 60 | s | `2` |  |  |\n"));
}

}  // namespace
}  // namespace caribou::config
