#include "caribou/tree_world.hpp"

#include <charconv>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "behavior/engine_classes.hpp"
#include "behavior/strict_priority.hpp"
#include "robot/cube_classes.hpp"
#include "robot/cube_spinner.hpp"
#include "robot/robot_classes.hpp"

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

BehaviorClass stand_in(std::string name) {
    return {.name = std::move(name),
            .about = "stands in for a class of a robot",
            .takes_anything = true,
            .max_children = std::numeric_limits<std::size_t>::max(),
            .make = [](std::string id,
                       const Arguments&) { return std::make_unique<StrictPriority>(std::move(id)); },
            .link = link_as<StrictPriority>(
                [](StrictPriority& priority, std::span<const LinkedChild> children) -> Result<void> {
                    for (const LinkedChild& child : children) priority.add(child.behavior);
                    return {};
                })};
}

Value value_from(std::string_view text) {
    if (text == "true" || text == "false") return text == "true";
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && end == text.data() + text.size()) return number;
    return std::string(text);
}

}  // namespace

Result<FactSetting> parse_setting(std::string_view text) {
    const auto at = text.find('=');
    if (at == 0 || at == std::string_view::npos)
        return fail(Code::invalid_argument, fmt::format("`{}` is not of the form NAME=VALUE", text));
    FactSetting setting{std::string(text.substr(0, at)), std::nullopt};
    if (at + 1 < text.size()) setting.value = value_from(text.substr(at + 1));
    return setting;
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

FakeWorld::FakeWorld(const std::vector<std::string>& stand_ins, TreeActions actions) {
    radio_.add_cube();
    register_engine_classes(classes_);
    robot::register_cube_classes(classes_, cubes_);
    robot::register_robot_classes(classes_, robot_);
    if (actions == TreeActions::of_trials) {
        register_fact_actions(classes_, changes_);
        classes_.add(say_class(said_));
    }
    for (const std::string& name : stand_ins)
        if (!classes_.behaviors().contains(name)) classes_.add(stand_in(name));
}

void FakeWorld::join(BehaviorRunner& runner) {
    runner.add_gate(gate_);
    cubes_.set_on_event([&runner](const cubes::CubeEvent& event) { robot::post_cube_event(runner, event); });
}

void FakeWorld::apply(const FactSetting& setting) {
    if (setting.value)
        facts_.set(setting.fact, *setting.value);
    else
        facts_.clear(setting.fact);
}

}  // namespace caribou::app
