#include "behavior/stand_ins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/class_json.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// A tree with stand-ins, ticked ten times per second.
class StandInTree {
public:
    StandInTree(std::string_view tree, const std::vector<std::string>& stand_ins) {
        register_engine_classes(classes_);
        for (const std::string& text : stand_ins) add_stand_in(classes_, *parse_stand_in(text));
        auto loaded = load_tree(std::vector<TreeText>{{"tree", std::string(tree)}}, classes_);
        if (!loaded) throw std::runtime_error(to_string(loaded.error()));
        runner.emplace(std::move(loaded->tree), facts_);
        std::ignore = runner->set_base(loaded->base);
    }
    std::string after(Duration time) {
        for (const Instant end = now_ + time; now_ < end;) runner->tick(now_ += 100ms);
        return runner->stack().empty() ? "" : std::string(runner->stack().back()->id());
    }

    std::optional<BehaviorRunner> runner;

private:
    ClassRegistry classes_;
    Facts facts_;
    Instant now_{};
};

constexpr std::string_view fallback =
    R"({"base": "r", "behaviors": [{"class": "fallback", "id": "r", "children": [
    {"class": "act", "id": "hum", "action": {"hum": 1}}, {"class": "idle", "id": "rest"}]}]})";

TEST(StandIns, ActionsEndByTheirScript) {
    StandInTree fails(fallback, {"hum=fail 2s"});
    EXPECT_EQ(fails.after(1900ms), "hum");
    EXPECT_EQ(fails.after(500ms), "rest");
    StandInTree succeeds(fallback, {"hum=succeed 1s"});
    EXPECT_EQ(succeeds.after(1500ms), "") << "the base has ended";
    StandInTree stays(fallback, {"hum=stay"});
    EXPECT_EQ(stays.after(60s), "hum");
    StandInTree without(fallback, {"hum"});
    EXPECT_EQ(without.after(60s), "hum");
}

TEST(StandIns, ReplaceBehaviorsThatAreKnown) {
    StandInTree tree(R"({"base": "r", "behaviors": [{"class": "fallback", "id": "r", "children": [
        {"class": "queue", "id": "q", "children": [{"class": "idle", "id": "inside"}]}, {"class": "idle", "id": "rest"}]}]})",
                     {"queue=fail 1s"});
    EXPECT_EQ(tree.after(500ms), "q");
    EXPECT_EQ(tree.after(1s), "rest");
}

TEST(StandIns, ConditionsHoldByTheirScript) {
    StandInTree tree(R"({"base": "r", "behaviors": [{"class": "strict_priority", "id": "r", "children": [
        {"class": "idle", "id": "sing", "wants": {"dark": 3}, "cancel": "quiet"}, {"class": "idle", "id": "rest"}]}]})",
                     {"dark=no 2s,yes", "quiet=no 1s,yes"});
    EXPECT_EQ(tree.after(1500ms), "rest");
    EXPECT_EQ(tree.after(1s), "sing");
    EXPECT_EQ(tree.after(1200ms), "rest") << "it is live anew, and does not hold for 2 s";
}

TEST(StandIns, ReportWhatIsWrong) {
    const auto error = [](std::string_view text) {
        const auto parsed = parse_stand_in(text);
        return parsed ? std::string() : parsed.error().message;
    };
    EXPECT_EQ(error("hum"), "");
    EXPECT_EQ(error("hum=succeed 2s, fail"), "");
    EXPECT_THAT(error(""), HasSubstr("is not the name of a class"));
    EXPECT_THAT(error("hum="), HasSubstr("expected succeed, fail, stay, yes or no"));
    EXPECT_THAT(error("hum=faill"), HasSubstr("did you mean `fail`?"));
    EXPECT_THAT(error("hum=fail soon"), HasSubstr("expected a time such as 2s, found `soon`"));
    EXPECT_THAT(error("hum=fail,yes"), HasSubstr("yes and no are of conditions"));
}

TEST(ClassJson, DescribesAllClasses) {
    ClassRegistry classes;
    register_engine_classes(classes);
    const auto json = read_json(class_json(classes));
    ASSERT_TRUE(json.has_value()) << json.error().message;
    EXPECT_EQ(json->find("behaviors")->items.size(), classes.behaviors().size());
    EXPECT_EQ(json->find("actions")->items.size(), classes.actions().size());
    EXPECT_EQ(json->find("conditions")->items.size(), classes.conditions().size());
    for (const JsonNode& each : json->find("behaviors")->items)
        if (each.find("name")->text == "repeat") {
            EXPECT_EQ(each.find("max_children")->number, 1);
            EXPECT_EQ(each.find("parameters")->items.front().find("name")->text, "times");
        }
}

}  // namespace
}  // namespace caribou::behavior
