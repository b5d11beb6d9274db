#include "behavior/kept_facts.hpp"

#include <fstream>
#include <limits>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>

namespace caribou::behavior {
namespace {

using testing::ElementsAre;

TEST(KeptFacts, AreReadAsTheyWereWritten) {
    const KeptFacts facts{{"a", true}, {"b", 0.1}, {"c", std::string("x \"y\"\n")}};
    EXPECT_EQ(kept_facts_from(file_text_of(facts)), facts);
    EXPECT_EQ(file_text_of({{"rounds", 3.0}}), "{\"version\":1,\"facts\":{\"rounds\":3}}\n");
    EXPECT_EQ(kept_facts_from(file_text_of({{"a", std::numeric_limits<double>::infinity()}})), KeptFacts{});
}

TEST(KeptFacts, AreReadAsTheirPageShowsThem) {
    std::stringstream page;
    page << std::ifstream(tests::in_repository("docs/formats/kept-facts.md")).rdbuf();
    const std::string text = page.str();
    const auto from = text.find("```json\n") + 8;
    EXPECT_EQ(kept_facts_from(text.substr(from, text.find("```", from) - from)),
              (KeptFacts{{"rounds", 3.0}}));
}

TEST(KeptFacts, OfAnotherVersionOrFormAreRefused) {
    const auto error = [](std::string_view text) { return kept_facts_from(text).error(); };
    EXPECT_EQ(error("").code, Code::malformed);
    EXPECT_EQ(error("[]").message, "`version` is missing");
    EXPECT_EQ(error(R"({"version": 2, "facts": {}})").code, Code::refused);
    EXPECT_EQ(error(R"({"version": 2, "facts": {}})").message,
              "its version is 2, this program reads up to 1");
    EXPECT_EQ(error(R"({"version": 0.5, "facts": {}})").message, "there is no version 0.5");
    EXPECT_EQ(error(R"({"version": 1})").message, "`facts` is missing");
}

TEST(KeptFacts, AreOnlyThoseThatAreDeclaredSoAndFit) {
    using Type = FactDeclaration::Type;
    const FactDeclarations declared{{"a", {.name = "a", .type = Type::number, .max = 5, .is_kept = true}},
                                    {"b", {.name = "b", .type = Type::number}},
                                    {"c", {.name = "c", .type = Type::number, .max = 5, .is_kept = true}},
                                    {"d", {.name = "d", .type = Type::text, .is_kept = true}}};
    Facts facts;
    EXPECT_THAT(restore({{"a", 3.0}, {"b", 3.0}, {"c", 9.0}, {"x", 1.0}}, declared, facts), ElementsAre("c"));
    EXPECT_THAT(facts.names(), ElementsAre("a"));
    facts.set("b", 1.0);
    EXPECT_EQ(kept_of(declared, facts), (KeptFacts{{"a", 3.0}}));
}

}  // namespace
}  // namespace caribou::behavior
