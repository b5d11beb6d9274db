#include "robot/thread_ai.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/geometry.hpp"
#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/trimmed.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/explain.hpp"
#include "behavior/tree_loader.hpp"
#include "cubes/cube_picture.hpp"
#include "robot/activity.hpp"
#include "robot/cube_classes.hpp"
#include "robot/cube_spinner.hpp"

namespace caribou::robot {
namespace {

/// Wants to run, and does nothing.
constexpr std::string_view standing_tree =
    R"({"base": "stand_still", "behaviors": [{"class": "idle", "id": "stand_still"}]})";

}  // namespace

ThreadAi::ThreadAi(Strand& strand, motion::Body& body, motion::MotionControl& motion, RobotBuffers& buffers,
                   Log& log, AiParts parts, Options options)
    : strand_(strand),
      body_(body),
      motion_(motion),
      buffers_(buffers),
      log_(log),
      parts_(std::move(parts)),
      options_(std::move(options)),
      period_(from_seconds(1 / options_.rate)),
      cubes_(strand.loop(), parts_.radio, parts_.preferences, log),
      console_(
          cubes_, [this](const std::string& path) { return parts_.read_file(path); },
          [this](const std::string& line) { log_.info("cubes: " + line); }),
      gate_(cubes_.coordinator),
      round_(std::make_shared<TelemetryRound>()),
      timer_(strand.loop().make_timer([this] { on_due(); })) {
    behavior::register_engine_classes(classes_);
    register_cube_classes(classes_, cubes_);
    if (parts_.add_classes) navigator_ = parts_.add_classes(classes_, *this);
}

ThreadAi::~ThreadAi() = default;

Result<void> ThreadAi::load(std::span<const behavior::TreeText> files) {
    auto loaded = behavior::load_tree(files, classes_);
    if (!loaded) return fail(Code::malformed, to_string(loaded.error()));
    base_ = loaded->base;
    plan_ = std::move(loaded->plan);
    runner_ = std::make_unique<behavior::BehaviorRunner>(std::move(loaded->tree), facts_,
                                                         behavior::RunnerOptions{.seed = options_.seed});
    runner_->add_gate(gate_);
    runner_->add_observer(recent_);
    cubes_.set_on_event([this](const cubes::CubeEvent& event) { post_cube_event(*runner_, event); });
    return {};
}

void ThreadAi::start() {
    Result<void> outcome = options_.tree_unreadable.empty()
                               ? load(options_.tree)
                               : fail(Code::unavailable, options_.tree_unreadable);
    bool runs_anyway = false;
    if (!outcome) {
        const std::array standing{behavior::TreeText{"built-in", std::string(standing_tree)}};
        const auto replaced = load(standing);
        check(replaced.has_value(), "the built-in tree is good");
        runs_anyway = true;
    }
    buffers_.note(
        ThreadStarted{.who = ThreadName::ai, .outcome = std::move(outcome), .runs_anyway = runs_anyway});
    next_ = strand_.loop().clock().now();
    on_due();
}

void ThreadAi::stop() {
    timer_->cancel();
    order({});
    runner_.reset();
}

void ThreadAi::run(bool runs) {
    strand_.post_here([this, runs] {
        if (std::exchange(runs_, runs) == runs || !runner_) return;
        if (runs && runner_->idle())
            std::ignore = runner_->set_base(base_);
        else if (runs)
            std::ignore = runner_->request_reset("RM2 is entered", base_);
        if (runs) return;
        end_by_hand(fail(Code::wrong_state, "RM2 was left"));
        order({});
    });
}

void ThreadAi::on_due() {
    const Instant now = strand_.loop().clock().now();
    buffers_.prove_alive(ThreadName::ai, now);
    if (runs_ && runner_)
        tick(now);
    else
        look_around(now);
    publish();
    next_ = std::max(next_ + period_, now);
    timer_->arm(next_);
}

void ThreadAi::tick(Instant now) {
    if (auto round = buffers_.telemetry_buffer.copy()) round_ = std::move(round);
    if (round_->number == 0 || now - round_->at > options_.telemetry_limit) return order({});
    if (navigator_) navigator_->look(now);
    learn(*round_);
    wanted_ = {};
    runner_->tick(now);
    ++ticks_;
    go_home(now);
    order(wanted_);
}

void ThreadAi::look_around(Instant now) {
    if (!navigator_) return;
    if (auto round = buffers_.telemetry_buffer.copy()) round_ = std::move(round);
    if (round_->number != 0 && now - round_->at <= options_.telemetry_limit) navigator_->look(now);
}

/// Answers for a behavior that was started by a command, and returns to the base when it has ended or
/// declined.
void ThreadAi::go_home(Instant now) {
    if (!by_hand_) return;
    const auto& stack = runner_->stack();
    const bool is_active = std::ranges::find(stack, by_hand_->id, &behavior::Behavior::id) != stack.end();
    if (is_active && by_hand_->told) std::exchange(by_hand_->told, {})(by_hand_->id + " is active");
    if (runner_->idle()) {
        std::ignore = runner_->set_base(base_);
        end_by_hand(fmt::format("{} has ended", by_hand_->id));
    } else if (stack.empty() && now >= by_hand_->until) {
        const std::string why = why_not(by_hand_->id);
        std::ignore = runner_->request_reset("what was started by hand declines", base_);
        end_by_hand(fail(Code::unavailable, fmt::format("{} declines: {}", by_hand_->id, why)));
    }
}

void ThreadAi::end_by_hand(Result<std::string> outcome) {
    if (!by_hand_) return;
    if (const Told told = std::exchange(by_hand_->told, {})) told(std::move(outcome));
    by_hand_.reset();
}

/// Returns why a behavior does not run now.
std::string ThreadAi::why_not(std::string_view id) const {
    for (std::size_t i = 0; i < runner_->tree().size(); ++i) {
        const behavior::Behavior& each = runner_->tree()[i];
        if (each.id() != id) continue;
        const behavior::Wants why = runner_->why_not(each);
        return why ? "it wants to run, and was not chosen"
                   : behavior::sentence({each.number(), why.gate(), why.why_not()});
    }
    return "there is no such behavior";
}

void ThreadAi::publish() {
    AiBoard board{.stack = {}, .cube = std::string(cubes::to_string(cubes_.coordinator.state()))};
    if (navigator_) board.odom_in_map = navigator_->odom_in_map();
    if (runs_ && runner_)
        for (const behavior::Behavior* const each : runner_->stack()) board.stack.push_back(each->id());
    if (navigator_) {
        board.failed_docks = navigator_->failed_docks();
        board.dock_failure = navigator_->dock_failure();
    }
    buffers_.ai_board.write(std::move(board));
}

void ThreadAi::order(const Wanted& wanted) {
    if (wanted.command.is_halt() && halted_) return;
    halted_ = wanted.command.is_halt();
    motion_.order({.source = motion::MotionSource::ai, .command = wanted.command, .touch = wanted.touch});
}

void ThreadAi::learn(const TelemetryRound& round) {
    const motion::MotionReport& motion = round.motion;
    const auto& battery = round.summary.battery;
    if (std::isnan(battery.level))
        facts_.clear("battery");
    else
        facts_.set("battery", static_cast<double>(battery.level) * 100);
    facts_.set("battery_state", std::string(to_string(motion.battery)));
    facts_.set(behavior::fact_charging, battery.on_charger && battery.amperes > 0);
    facts_.set("on_charger", battery.on_charger);
    facts_.set("stuck", motion.stuck);
    facts_.set("stopped", motion.stop.has_value());
    facts_.set("motion_reason", std::string(to_string(motion.reason)));
    facts_.set("x", round.summary.pose.x);
    facts_.set("y", round.summary.pose.y);
    facts_.set("heading", round.summary.pose.heading);
    double nearest = 100;
    for (const auto& range : round.summary.ranges)
        nearest = std::min(nearest, static_cast<double>(range.distance));
    facts_.set("nearest", nearest);
    facts_.set("cube_connected", cubes_.coordinator.connection().has_value());
    const Instant now = strand_.loop().clock().now();
    for (const auto& [name, heard_at] : bus_ages_) facts_.set(name, to_seconds(now - heard_at));
}

void ThreadAi::set_fact(std::string name, std::optional<behavior::Value> value) {
    strand_.post_here([this, name = std::move(name), value = std::move(value)] {
        if (value)
            facts_.set(name, *value);
        else
            facts_.clear(name);
    });
}

void ThreadAi::hear_bus(std::string name, behavior::Value value) {
    strand_.post_here([this, name = std::move(name), value = std::move(value)] {
        facts_.set("bus:" + name, value);
        bus_ages_["bus_age:" + name] = strand_.loop().clock().now();
    });
}

void ThreadAi::ask_cubes(std::string line, Told told) {
    strand_.post_here([this, line = std::move(line), told = std::move(told)] { told(console_.run(line)); });
}

void ThreadAi::ask_behaviors(std::string line, Told told) {
    strand_.post_here([this, line = std::move(line), told = std::move(told)] {
        if (runner_ && line.starts_with("start "))
            start_by_hand(trimmed(std::string_view(line).substr(6)), told);
        else
            told(answer(line));
    });
}

Result<std::string> ThreadAi::answer(std::string_view line) {
    static const std::vector<std::string> words{"show", "why", "facts", "start", "force", "reset", "help"};
    const std::size_t blank = line.find(' ');
    const std::string_view word = line.substr(0, blank);
    const std::string_view rest = blank == std::string_view::npos ? "" : trimmed(line.substr(blank));
    if (word == "help")
        return std::string(
            "show: the stack\nwhy: each behavior that sleeps, and why\nfacts\n"
            "start ID: this one in place of the base, until it ends\n"
            "force ID NUMBER true|false|free: what a condition of it answers\n"
            "reset: the stack is emptied, and begins again with the base\n");
    if (!runner_) return fail(Code::unavailable, "there is no tree of behaviors");
    if (word == "show") return stack_text();
    if (word == "why") return sleeper_text();
    if (word == "start") return fail(Code::invalid_argument, "it is `start BEHAVIOR`");
    if (word == "force") return force(rest);
    if (word == "facts") {
        std::string text;
        for (const std::string& name : facts_.names())
            text += fmt::format("{} = {}\n", name, behavior::to_string(*facts_.find(name)));
        return text;
    }
    if (word == "reset") {
        if (auto reset = runner_->request_reset("asked for", base_); !reset)
            return fail(std::move(reset.error()));
        end_by_hand(fail(Code::wrong_state, "the behaviors were reset"));
        return std::string("the stack is emptied in the next tick");
    }
    return fail(Code::invalid_argument,
                fmt::format("there is no `{}` for behaviors{}", word, instead_of(word, words)));
}

void ThreadAi::start_by_hand(std::string_view id, Told told) {
    constexpr Duration patience = std::chrono::seconds(2);
    if (!runs_) return told(fail(Code::wrong_state, "behaviors run in RM2; setRM(2) lets them"));
    std::vector<std::string> ids;
    for (const behavior::TreeEntry& entry : plan_.entries) ids.push_back(entry.id);
    if (std::ranges::find(ids, id) == ids.end())
        return told(fail(Code::invalid_argument,
                         fmt::format("there is no behavior `{}`{}", id, instead_of(id, ids))));
    if (auto reset = runner_->request_reset("started by hand", id); !reset)
        return told(fail(std::move(reset.error())));
    end_by_hand(fail(Code::wrong_state, fmt::format("{} was started in its place", id)));
    by_hand_ = {std::string(id), strand_.loop().clock().now() + patience, std::move(told)};
}

Result<std::string> ThreadAi::force(std::string_view words) const {
    const std::size_t last = words.rfind(' ');
    const std::size_t middle = last == std::string_view::npos ? last : words.rfind(' ', last - 1);
    const auto number = middle == std::string_view::npos
                            ? std::nullopt
                            : number_in(words.substr(middle + 1, last - middle - 1));
    const std::string_view answer = last == std::string_view::npos ? "" : words.substr(last + 1);
    const bool is_known = answer == "true" || answer == "false" || answer == "free";
    if (!number || *number < 0 || !is_known)
        return fail(Code::invalid_argument, "it is `force BEHAVIOR CONDITION_NUMBER true|false|free`");
    return behavior::force_condition(*runner_, words.substr(0, middle), static_cast<std::size_t>(*number),
                                     answer == "free" ? std::nullopt : std::optional(answer == "true"));
}

void ThreadAi::ask_view(views::View view, TellView tell) {
    strand_.post_here([this, view, tell = std::move(tell)] { tell(show(view)); });
}

ViewPicture ThreadAi::show(views::View view) const {
    const Clock& clock = strand_.loop().clock();
    const double zero = clock.unix_seconds() - to_seconds(clock.now().time_since_epoch());
    if (view == views::View::behaviors && runner_)
        return behavior::to_json(behavior::picture_of(*runner_, plan_, recent_), zero);
    if (view == views::View::cubes) return cubes::picture_json(cubes_, clock);
    if (view == views::View::map && navigator_) return map_picture(*navigator_, clock.unix_seconds());
    if (view == views::View::places && navigator_) return places_json(*navigator_);
    if (view == views::View::plan && navigator_) return plan(clock.now());
    return {};
}

std::string ThreadAi::plan(Instant now) const {
    if (!runs_ || !runner_ || runner_->stack().empty()) return plan_json("", std::nullopt);
    const behavior::Behavior& top = *runner_->stack().back();
    const auto course = navigator_->course(now);
    Activity activity{.behavior = top.id(),
                      .behavior_class = plan_.entries.at(top.number()).class_name,
                      .action = navigator_->action(now),
                      .battery = link::level_text(round_->summary.battery),
                      .battery_low = !facts_.holds("dock_wanted"),
                      .on_charger = navigator_->on_charger(),
                      .knows_dock = navigator_->dock().has_value(),
                      .lifted = navigator_->lifted()};
    if (course) {
        Vec2 at = position(navigator_->pose());
        activity.distance = 0;
        for (const Vec2 next : course->path) *activity.distance += distance(std::exchange(at, next), next);
    }
    return plan_json(sentence_of(activity), course);
}

std::string ThreadAi::stack_text() const {
    std::string text;
    for (const behavior::Behavior* const each : runner_->stack())
        text += fmt::format("{}{}", text.empty() ? "" : " > ", each->id());
    return text.empty() ? (runs_ ? "nothing is active" : "nothing is active: behaviors run in RM2") : text;
}

std::string ThreadAi::sleeper_text() const {
    std::string text;
    for (std::size_t i = 0; i < runner_->tree().size(); ++i) {
        const behavior::Behavior& each = runner_->tree()[i];
        if (each.state() == behavior::Behavior::State::active) continue;
        const behavior::Wants why = runner_->why_not(each);
        text += fmt::format(
            "{}: {}\n", each.id(),
            why ? "would like to be active" : behavior::sentence({each.number(), why.gate(), why.why_not()}));
    }
    return text;
}

}  // namespace caribou::robot
