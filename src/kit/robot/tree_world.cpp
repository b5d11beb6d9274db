#include "kit/robot/tree_world.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "behavior/action_text.hpp"
#include "behavior/stand_ins.hpp"
#include "robot/cube_spinner.hpp"
#include "robot/robot_classes.hpp"
#include "robot/tree_classes.hpp"

namespace caribou::app {
namespace {

using namespace behavior;

class SayAction final : public Action {
public:
    SayAction(std::string text, std::vector<std::string>& said) : text_(std::move(text)), said_(said) {}
    std::string_view name() const override { return "say"; }
    void start(Instant) override { said_.push_back(text_); }
    std::optional<Outcome> poll(Instant) override { return Outcome::succeeded(); }
    void cancel() override {}

private:
    std::string text_;
    std::vector<std::string>& said_;
};

ActionClass say_class(std::vector<std::string>& said) {
    return {
        .name = "say",
        .about = "prints a text",
        .parameters = {{.name = "say", .kind = Parameter::Kind::text, .about = "the text", .required = true}},
        .make = [&said](const Arguments& arguments) {
            return std::make_unique<SayAction>(arguments.text("say"), said);
        }};
}

}  // namespace

Result<FactSetting> parse_setting(std::string_view text) {
    const auto at = text.find('=');
    if (at == 0 || at == std::string_view::npos)
        return fail(Code::invalid_argument, fmt::format("`{}` is not of the form NAME=VALUE", text));
    return FactSetting{std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

Result<TimedSetting> parse_timed_setting(std::string_view text) {
    std::uint64_t tick = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tick);
    const std::string_view rest(end, text.data() + text.size());
    if (error != std::errc{} || tick == 0 || !rest.starts_with(':'))
        return fail(Code::invalid_argument,
                    fmt::format("`{}` is not of the form TICK:NAME=VALUE, from tick 1 on", text));
    auto setting = parse_setting(rest.substr(1));
    if (!setting) return fail(std::move(setting.error()));
    return TimedSetting{tick, std::move(*setting)};
}

FakeWorld::FakeWorld(const std::vector<std::string>& stand_ins, TreeActions actions,
                     const std::optional<std::vector<std::string>>& bus_variables,
                     const robot::AddOwnClasses& own) {
    radio_.add_cube();
    const bool is_trial = actions == TreeActions::of_trials;
    robot::register_tree_classes(classes_, {facts_, changes_, cubes_},
                                 is_trial ? robot::FactsSetBy::tree : robot::FactsSetBy::robot,
                                 bus_variables);
    const auto navigator = robot::register_robot_classes(classes_, robot_);
    if (own) {
        own(classes_, {.control = robot_,
                       .navigator = navigator,
                       .cubes = cubes_,
                       .facts = facts_,
                       .changes = changes_,
                       .set_fact = [](std::string_view, const Value&) -> Result<void> { return {}; },
                       .action = [this](std::string_view json) { return action_from(json, classes_); },
                       .publish = [](const std::string&, const Value&) {},
                       .log = log_});
        set_fallbacks(classes_.facts(), facts_);
    }
    if (is_trial) classes_.add(say_class(said_));
    for (const std::string& text : stand_ins)
        if (const auto parsed = parse_stand_in(text)) add_stand_in(classes_, *parsed);
}

void FakeWorld::join(BehaviorRunner& runner) {
    runner.add_gate(gate_);
    cubes_.set_on_event([this, &runner](const cubes::CubeEvent& event) {
        robot::post_cube_event(runner, event);
        cube_facts_.take(event);
    });
}

void FakeWorld::apply_changes() {
    changes_.apply_to(facts_, own_);
    cube_facts_.apply_to(facts_, cubes_);
}

void FakeWorld::declare(const FactDeclarations& facts) {
    know(facts);
    set_fallbacks(facts, facts_);
}

Result<std::optional<Value>> FakeWorld::value_of(const FactSetting& setting) const {
    const FactDeclaration* declared = find_fact(own_, setting.fact);
    if (!declared) declared = find_fact(classes_.facts(), setting.fact);
    if (!declared) {
        std::vector<std::string> known = names_of(own_);
        for (std::string& name : names_of(classes_.facts())) known.push_back(std::move(name));
        return fail(Code::invalid_argument, fmt::format("neither a robot nor the tree has the fact `{}`{}",
                                                        setting.fact, instead_of(setting.fact, known)));
    }
    if (setting.value.empty()) return std::nullopt;
    auto value = value_from(*declared, setting.value);
    if (!value) return fail(std::move(value.error()));
    return std::optional(std::move(*value));
}

void FakeWorld::apply(const FactSetting& setting) {
    const auto value = value_of(setting);
    if (!value) return;
    if (*value)
        facts_.set(setting.fact, **value);
    else
        facts_.clear(setting.fact);
}

}  // namespace caribou::app
