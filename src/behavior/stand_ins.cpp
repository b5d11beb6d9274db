#include "behavior/stand_ins.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "base/trimmed.hpp"
#include "behavior/strict_priority.hpp"
#include "loop/duration_text.hpp"

namespace caribou::behavior {
namespace {

using Word = StandIn::Word;

const std::vector<std::string> step_words{"succeed", "fail", "stay", "yes", "no"};

/// The steps of one class, and which is next.
struct Script {
    std::string name;
    std::vector<StandIn::Step> steps;
    std::size_t next = 0;

    StandIn::Step take() {
        if (steps.empty()) return {};
        const StandIn::Step step = steps[std::min(next, steps.size() - 1)];
        ++next;
        return step;
    }
    Outcome outcome(const StandIn::Step& step) const {
        if (step.word == Word::succeed) return Outcome::succeeded();
        return Outcome::failed(fmt::format("the stand-in `{}` fails here", name));
    }
};
using SharedScript = std::shared_ptr<Script>;

class StandInAction final : public Action {
public:
    explicit StandInAction(SharedScript script) : script_(std::move(script)) {}
    std::string_view name() const override { return script_->name; }
    void start(Instant now) override {
        step_ = script_->take();
        ends_ = now + step_.time;
    }
    std::optional<Outcome> poll(Instant now) override {
        if (step_.word == Word::stay || now < ends_) return std::nullopt;
        return script_->outcome(step_);
    }
    void cancel() override {}

private:
    SharedScript script_;
    StandIn::Step step_;
    Instant ends_{};
};

class StandInCondition final : public Condition {
public:
    explicit StandInCondition(SharedScript script) : script_(std::move(script)) {}
    std::string describe() const override { return script_->name; }

protected:
    void on_start(const Moment& moment) override { began_ = moment.now; }
    bool on_evaluate(const Moment& moment) override {
        Duration left = moment.now - began_;
        for (const StandIn::Step& step : script_->steps) {
            const bool is_last = &step == &script_->steps.back();
            if (is_last || left < step.time) return step.word == Word::yes;
            left -= step.time;
        }
        return false;
    }

private:
    SharedScript script_;
    Instant began_{};
};

class StandInBehavior final : public Behavior {
public:
    StandInBehavior(std::string id, SharedScript script)
        : Behavior(std::move(id)), script_(std::move(script)) {}
    void add(Behavior& child) { children_.push_back(&child); }
    void get_all_delegates(DelegateSet& delegates) const override {
        for (Behavior* const child : children_) delegates.insert(*child);
    }

protected:
    void on_activated(Control& control) override {
        const StandIn::Step step = script_->take();
        if (step.word == Word::stay) return;
        control.after(step.time, [this, step](Control& later) {
            if (later.is_active()) std::ignore = later.finish(script_->outcome(step));
        });
    }

private:
    SharedScript script_;
    std::vector<Behavior*> children_;
};

constexpr const char* stand_in_about = "replaces a class";
constexpr std::size_t any_children = std::numeric_limits<std::size_t>::max();

BehaviorClass dispatching_class(std::string name) {
    return {.name = std::move(name),
            .about = stand_in_about,
            .takes_anything = true,
            .max_children = any_children,
            .make =
                [](std::string id, const Arguments&) {
                    auto made = std::make_unique<StrictPriority>(std::move(id));
                    made->want_always();
                    return made;
                },
            .link = link_as<StrictPriority>(
                [](StrictPriority& priority, std::span<const LinkedChild> children) -> Result<void> {
                    for (const LinkedChild& child : children) priority.add(child.behavior);
                    return {};
                })};
}

void put_behavior(ClassRegistry& classes, const SharedScript& script) {
    const auto known = classes.behaviors().find(script->name);
    BehaviorClass made = known == classes.behaviors().end() ? BehaviorClass{.name = script->name,
                                                                            .about = stand_in_about,
                                                                            .takes_anything = true,
                                                                            .max_children = any_children}
                                                            : known->second;
    made.contradictions = {};
    made.make = [script](std::string id, const Arguments&) {
        return std::make_unique<StandInBehavior>(std::move(id), script);
    };
    made.link = link_as<StandInBehavior>(
        [](StandInBehavior& behavior, std::span<const LinkedChild> children) -> Result<void> {
            for (const LinkedChild& child : children) behavior.add(child.behavior);
            return {};
        });
    classes.replace(std::move(made));
}

template <class Made, class Placeholder>
void put_part(ClassRegistry& classes, const ClassRegistry::Classes<PartClass<Made>>& there,
              const SharedScript& script) {
    const auto known = there.find(script->name);
    PartClass<Made> made =
        known == there.end()
            ? PartClass<Made>{.name = script->name, .about = stand_in_about, .takes_anything = true}
            : known->second;
    made.make = [script](const Arguments&) { return std::make_unique<Placeholder>(script); };
    classes.replace(std::move(made));
}

Result<StandIn::Step> parse_step(std::string_view text, std::string_view whole) {
    text = trimmed(text);
    const std::size_t blank = text.find(' ');
    const std::string word(text.substr(0, blank));
    const auto found = std::ranges::find(step_words, word);
    if (found == step_words.end())
        return fail(Code::invalid_argument,
                    fmt::format("`{}`: expected succeed, fail, stay, yes or no, found `{}`{}", whole, word,
                                instead_of(word, step_words)));
    StandIn::Step step{static_cast<Word>(found - step_words.begin())};
    if (blank == std::string_view::npos) return step;
    const std::string_view time = trimmed(text.substr(blank));
    const auto duration = duration_from(time);
    if (!duration)
        return fail(Code::invalid_argument,
                    fmt::format("`{}`: expected a time such as 2s, found `{}`", whole, time));
    step.time = *duration;
    return step;
}

}  // namespace

Result<StandIn> parse_stand_in(std::string_view text) {
    const std::size_t equals = text.find('=');
    StandIn parsed{std::string(text.substr(0, equals))};
    if (!is_class_name(parsed.name))
        return fail(Code::invalid_argument, fmt::format("`{}` is not the name of a class", parsed.name));
    if (equals == std::string_view::npos) return parsed;
    for (std::string_view rest = text.substr(equals + 1);;) {
        const std::size_t comma = rest.find(',');
        auto step = parse_step(rest.substr(0, comma), text);
        if (!step) return fail(std::move(step.error()));
        parsed.steps.push_back(*step);
        if ((parsed.steps.back().word >= Word::yes) != parsed.is_condition())
            return fail(
                Code::invalid_argument,
                fmt::format("`{}`: yes and no are of conditions; succeed, fail and stay are not", text));
        if (comma == std::string_view::npos) return parsed;
        rest.remove_prefix(comma + 1);
    }
}

void add_stand_in(ClassRegistry& classes, const StandIn& stand_in) {
    const auto script = std::make_shared<Script>(Script{stand_in.name, stand_in.steps});
    if (stand_in.is_condition())
        return put_part<Condition, StandInCondition>(classes, classes.conditions(), script);
    const bool is_behavior = classes.behaviors().contains(stand_in.name);
    const bool is_action = classes.actions().contains(stand_in.name);
    if (!stand_in.steps.empty()) {
        if (is_action || !is_behavior) put_part<Action, StandInAction>(classes, classes.actions(), script);
        if (is_behavior || !is_action) put_behavior(classes, script);
        return;
    }
    if (!is_behavior) classes.add(dispatching_class(stand_in.name));
    if (!is_action) put_part<Action, StandInAction>(classes, classes.actions(), script);
    if (!classes.conditions().contains(stand_in.name))
        put_part<Condition, StandInCondition>(classes, classes.conditions(), script);
}

}  // namespace caribou::behavior
