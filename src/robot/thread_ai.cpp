#include "robot/thread_ai.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/explain.hpp"
#include "behavior/tree_loader.hpp"
#include "robot/cube_classes.hpp"
#include "robot/cube_spinner.hpp"

namespace caribou::robot {

ThreadAi::ThreadAi(Strand& strand, Body& body, MotionControl& motion, RobotBuffers& buffers, Log& log,
                   AiParts parts, Options options)
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
    if (parts_.add_classes) parts_.add_classes(classes_, *this);
}

ThreadAi::~ThreadAi() = default;

Result<void> ThreadAi::load() {
    auto loaded = behavior::load_tree(options_.tree, classes_);
    if (!loaded) return fail(Code::malformed, to_string(loaded.error()));
    base_ = loaded->base;
    runner_ = std::make_unique<behavior::BehaviorRunner>(std::move(loaded->tree), facts_,
                                                         behavior::RunnerOptions{.seed = options_.seed});
    runner_->add_gate(gate_);
    cubes_.set_on_event([this](const cubes::CubeEvent& event) { post_cube_event(*runner_, event); });
    return {};
}

void ThreadAi::start() {
    buffers_.note(ThreadStarted{ThreadName::ai, load()});
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
        order({});
    });
}

void ThreadAi::on_due() {
    const Instant now = strand_.loop().clock().now();
    buffers_.prove_alive(ThreadName::ai, now);
    if (runs_ && runner_) tick(now);
    publish();
    next_ = std::max(next_ + period_, now);
    timer_->arm(next_);
}

void ThreadAi::tick(Instant now) {
    if (auto round = buffers_.telemetry_buffer.copy()) round_ = std::move(round);
    if (round_->number == 0 || now - round_->at > options_.telemetry_limit) return order({});
    learn(*round_);
    wanted_ = {};
    runner_->tick(now);
    ++ticks_;
    order(wanted_);
}

void ThreadAi::publish() {
    AiBoard board{.stack = {}, .cube = std::string(cubes::to_string(cubes_.coordinator.state()))};
    if (runs_ && runner_)
        for (const behavior::Behavior* const each : runner_->stack()) board.stack.push_back(each->id());
    buffers_.ai_board.write(std::move(board));
}

void ThreadAi::order(const Wanted& wanted) {
    if (wanted.command.is_halt() && halted_) return;
    halted_ = wanted.command.is_halt();
    motion_.order({.source = MotionSource::ai, .command = wanted.command, .touch = wanted.touch});
}

void ThreadAi::learn(const TelemetryRound& round) {
    const MotionReport& motion = round.motion;
    const auto& battery = round.summary.battery;
    facts_.set("battery", static_cast<double>(battery.level) * 100);
    facts_.set("battery_state", std::string(to_string(motion.battery)));
    facts_.set(behavior::fact_charging, battery.on_charger && battery.amperes > 0);
    facts_.set("on_charger", battery.on_charger);
    facts_.set("stuck", motion.stuck);
    facts_.set("stopped", motion.stop.has_value());
    facts_.set("motion_reason", std::string(to_string(motion.reason)));
    facts_.set("x", motion.odometry.pose.x);
    facts_.set("y", motion.odometry.pose.y);
    facts_.set("heading", motion.odometry.pose.heading);
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
    strand_.post_here([this, line = std::move(line), told = std::move(told)] { told(answer(line)); });
}

Result<std::string> ThreadAi::answer(std::string_view line) {
    static const std::vector<std::string> words{"show", "why", "facts", "reset", "help"};
    const std::string_view word = line.substr(0, line.find(' '));
    if (word == "help")
        return std::string("show: the stack; why: each behavior that sleeps, and why; facts; reset");
    if (!runner_) return fail(Code::unavailable, "there is no tree of behaviors");
    if (word == "show") return stack_text();
    if (word == "why") return sleeper_text();
    if (word == "facts") {
        std::string text;
        for (const std::string& name : facts_.names())
            text += fmt::format("{} = {}\n", name, behavior::to_string(*facts_.find(name)));
        return text;
    }
    if (word == "reset") {
        if (auto reset = runner_->request_reset("asked for", base_); !reset)
            return fail(std::move(reset.error()));
        return std::string("the stack is emptied in the next tick");
    }
    return fail(Code::invalid_argument,
                fmt::format("there is no `{}` for behaviors{}", word, instead_of(word, words)));
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
