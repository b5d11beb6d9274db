#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "behavior/class_registry.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior_figures.hpp"
#include "give_up.hpp"

namespace caribou::bench {
namespace {

constexpr int rooms = 111;  // nine instances each, plus the base: 1,000

/// A typical tree: a dispatcher with conditions, and children of several classes.
std::string room(int number) {
    return fmt::format(R"(,
    {{"class": "strict_priority", "id": "room_{0}", "note": "what to do in room {0}",
     "wants": ["fit", {{"fact": "room", "==": {0}}}],
     "cancel": {{"or": ["lifted", {{"held": "2s", "when": {{"not": "fit"}}}}]}},
     "children": [
       {{"class": "queue", "id": "visit_{0}", "children": [
         {{"class": "act", "id": "enter_{0}", "action": {{"sequence": [{{"wait": "2s"}}, {{"wait": "1s"}}]}}}},
         {{"class": "act", "id": "look_{0}", "action": {{"wait": "500ms"}}}}]}},
       {{"class": "weighted_random", "id": "play_{0}", "wants": {{"fact": "cube_seen"}}, "children": [
         {{"weight": 3, "cooldown": "5s", "child": {{"class": "act", "id": "roll_{0}", "action": {{"wait": "3s"}}}}}},
         {{"class": "act", "id": "lift_{0}", "action": {{"wait": "1s"}}}}]}},
       {{"class": "repeat", "id": "dance_{0}", "times": 3, "children": ["rest_{0}"]}}]}},
    {{"class": "idle", "id": "rest_{0}"}})",
                       number);
}

std::string tree_text() {
    std::string children;
    std::string behaviors;
    for (int i = 0; i < rooms; ++i) {
        children += fmt::format(R"({}"room_{}")", i == 0 ? "" : ", ", i);
        behaviors += room(i);
    }
    return fmt::format(R"({{"base": "house",
  "conditions": {{"fit": {{"fact": "battery", ">=": 25}}, "lifted": {{"fact": "off_ground"}}}},
  "behaviors": [
    {{"class": "strict_priority", "id": "house", "children": [{}]}}{}]}})",
                       children, behaviors);
}

template <class Work>
double milliseconds(Work work) {
    const SteadyTime start = now();
    work();
    return microseconds(now() - start) / 1000;
}

}  // namespace

void load_1000_ms(const Report& report, const Effort& effort) {
    behavior::ClassRegistry classes;
    behavior::register_engine_classes(classes);
    const std::array files{behavior::TreeText{.name = "house.json", .text = tree_text()}};
    const Pair pair = interleave(
        effort, Seconds(0.02),
        [&](Seconds) {
            return milliseconds([&] {
                if (!nlohmann::json::accept(files[0].text)) give_up("the tree is no JSON");
            });
        },
        [&](Seconds) {
            return milliseconds([&] {
                const auto loaded = behavior::load_tree(files, classes);
                if (!loaded) give_up(to_string(loaded.error()));
                if (loaded->tree->size() != 1000) give_up(fmt::format("{} instances", loaded->tree->size()));
            });
        });
    report.add({.metric = "load_1000_ms", .value = pair.value, .unit = "ms", .floor = pair.floor});
}

void reload_ms(const Report& report, const Effort&) {
    behavior::ClassRegistry classes;
    behavior::register_engine_classes(classes);
    const std::array files{behavior::TreeText{.name = "house.json", .text = tree_text()}};
    behavior::Facts facts;
    facts.set("battery", 50.0);
    facts.set("room", 5.0);
    auto first = behavior::load_tree(files, classes);
    if (!first) give_up(to_string(first.error()));
    behavior::BehaviorRunner runner(std::move(first->tree), facts);
    std::ignore = runner.set_base(first->base);
    Instant at{};
    double worst = 0;
    for (int i = 0; i < 20; ++i) {
        for (int tick = 0; tick < 20; ++tick) runner.tick(at += std::chrono::milliseconds(50));
        if (runner.stack().size() < 2) give_up("nothing runs");
        const double took = milliseconds([&] {
            auto loaded = behavior::load_tree(files, classes);
            if (!loaded) give_up(to_string(loaded.error()));
            runner.request_end("a new tree");
            runner.tick(at);
            std::ignore = runner.request_tree(std::move(loaded->tree), loaded->base);
            runner.tick(at);
        });
        worst = std::max(worst, took);
    }
    report.add({.metric = "reload_ms", .value = worst, .unit = "ms", .at_most = 50});
}

}  // namespace caribou::bench
