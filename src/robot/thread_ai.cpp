#include "robot/thread_ai.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/trimmed.hpp"
#include "behavior/action_text.hpp"
#include "behavior/explain.hpp"
#include "behavior/tree_loader.hpp"
#include "cubes/cube_picture.hpp"
#include "robot/cube_spinner.hpp"
#include "robot/tree_classes.hpp"

namespace caribou::robot {
namespace {

/// Wants to run, and does nothing.
constexpr std::string_view standing_tree =
    R"({"base": "stand_still", "behaviors": [{"class": "idle", "id": "stand_still"}]})";

/// Lists and errors of files end with a line feed, which no answer does.
Result<std::string> without_line_end(Result<std::string> answer) {
    std::string& text = answer ? *answer : answer.error().message;
    while (text.ends_with('\n')) text.pop_back();
    return answer;
}

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
      fact_keeper_(parts_.fact_store, log),
      maps_(parts_.map_store, log, options_.map),
      sensors_([this](const std::set<std::string>& kinds) { buffers_.note(SensorsUnneeded{kinds}); }),
      recording_desk_(strand.loop().clock()),
      round_(std::make_shared<TelemetryRound>()),
      timer_(strand.loop().make_timer([this] { on_due(); })) {
    register_tree_classes(classes_, {facts_, fact_changes_, cubes_}, FactsSetBy::robot, options_.bus_facts);
    if (parts_.add_classes) navigator_ = parts_.add_classes(classes_, *this);
    if (!parts_.publish) parts_.publish = [](const std::string&, const behavior::Value&) {};
    if (!parts_.add_own) return;
    parts_.add_own(classes_,
                   {.control = *this,
                    .navigator = navigator_,
                    .cubes = cubes_,
                    .facts = facts_,
                    .changes = fact_changes_,
                    .set_fact = [this](std::string_view fact,
                                       const behavior::Value& value) { return change(fact, value); },
                    .action = [this](std::string_view json) { return behavior::action_from(json, classes_); },
                    .publish = parts_.publish,
                    .log = log_});
    behavior::set_fallbacks(classes_.facts(), facts_);
}

ThreadAi::~ThreadAi() = default;

Result<void> ThreadAi::load(std::span<const behavior::TreeText> files) {
    auto loaded = behavior::load_tree(files, classes_);
    if (!loaded) return fail(Code::malformed, to_string(loaded.error()));
    runner_ = std::make_unique<behavior::BehaviorRunner>(std::move(loaded->tree), facts_,
                                                         behavior::RunnerOptions{.seed = options_.seed});
    runner_->add_gate(gate_);
    runner_->add_observer(recent_);
    recorder_.start(*runner_);
    runner_->add_observer(recorder_);
    if (parts_.observer) runner_->add_observer(*parts_.observer);
    runner_->set_sensor_switch(&sensors_);
    adopt(std::move(*loaded));
    cubes_.set_on_event([this](const cubes::CubeEvent& event) { take(event); });
    return {};
}

void ThreadAi::take(const cubes::CubeEvent& event) {
    constexpr std::size_t most = 16;
    if (runner_) post_cube_event(*runner_, event);
    cube_facts_.take(event);
    if (cube_events_.size() == most) cube_events_.erase(cube_events_.begin());
    const std::uint64_t last = cube_events_.empty() ? 0 : cube_events_.back().number;
    cube_events_.push_back({last + 1, describe(event)});
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
        tree_error_ = outcome.error().message;
    }
    buffers_.note(
        ThreadStarted{.who = ThreadName::ai, .outcome = std::move(outcome), .runs_anyway = runs_anyway});
    next_ = strand_.loop().clock().now();
    on_due();
}

void ThreadAi::stop() {
    timer_->cancel();
    order({});
    fact_changes_.apply_to(facts_, plan_.facts);
    fact_keeper_.save(facts_);
    runner_.reset();
}

void ThreadAi::run(bool runs) {
    strand_.post_here([this, runs] {
        if (std::exchange(runs_, runs) == runs || !runner_) return;
        if (!runs) return end_behaviors();
        base_end_.clear();
        sensors_.set_running(true);
        if (runner_->idle())
            std::ignore = runner_->set_base(base_);
        else
            std::ignore = runner_->request_reset("RM2 is entered", base_);
    });
}

/// Ends all behaviors, which gives back cubes, lights and sensors.
void ThreadAi::end_behaviors() {
    runner_->request_end("RM2 was left");
    runner_->tick(strand_.loop().clock().now());
    end_by_hand(fail(Code::wrong_state, "RM2 was left"));
    order({});
    sensors_.set_running(false);
    sensors_.settle();
    fact_changes_.apply_to(facts_, plan_.facts);
    fact_keeper_.save(facts_);
}

void ThreadAi::on_due() {
    const Instant now = strand_.loop().clock().now();
    buffers_.prove_alive(ThreadName::ai, now);
    if (runs_ && runner_)
        tick(now);
    else
        look_around(now);
    place_zones();
    publish();
    next_ = std::max(next_ + period_, now);
    timer_->arm(next_);
}

void ThreadAi::tick(Instant now) {
    if (auto round = buffers_.telemetry_buffer.copy()) round_ = std::move(round);
    if (round_->number == 0 || now - round_->at > options_.telemetry_limit) return order({});
    look(now);
    if (navigator_ && maps_.is_starting()) return order({});
    fact_changes_.apply_to(facts_, plan_.facts);
    fact_keeper_.look(facts_, now);
    learn(*round_);
    wanted_ = {};
    const behavior::Difference difference = runner_->tick(now);
    ++ticks_;
    report_cycle(difference, now);
    recorder_.settle(*runner_);
    sensors_.settle();
    if (!runner_->stack().empty()) base_end_.clear();
    if (std::string ended = behavior::end_of_base(difference); !ended.empty() && !by_hand_) {
        base_end_ = std::move(ended);
        log_.warning("ai: " + base_end_ + "; nothing runs until it is started again");
    }
    look_for_way_out(now);
    if (goal_) step_goal(now);
    go_home(now);
    order(wanted_);
}

/// Behaviors that fail at once are started again and again: the log names them, once a minute at most.
void ThreadAi::report_cycle(const behavior::Difference& difference, Instant now) {
    constexpr Duration period = std::chrono::minutes(1);
    for (const behavior::Change& change : difference.changes) {
        if (std::holds_alternative<behavior::CycleFound>(change)) {
            in_cycle_ = true;
        } else if (const auto* reset = std::get_if<behavior::StackReset>(&change);
                   reset && std::exchange(in_cycle_, false) &&
                   (!cycle_reported_ || now >= *cycle_reported_ + period)) {
            cycle_reported_ = now;
            log_.warning(fmt::format("ai: the base begins again: {}", reset->why));
        }
    }
}

void ThreadAi::look(Instant now) {
    if (!navigator_) return;
    navigator_->look(now);
    if (const std::string fault = maps_.start(*navigator_, now); !fault.empty()) buffers_.report_error(fault);
    cubes_.lights.set_localized(cube_localization_.update(*navigator_, cubes_));
}

void ThreadAi::look_around(Instant now) {
    if (!navigator_) return;
    if (auto round = buffers_.telemetry_buffer.copy()) round_ = std::move(round);
    if (round_->number != 0 && now - round_->at <= options_.telemetry_limit) look(now);
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
    if (!outcome) end_goal({GoalNews::Kind::failed, outcome.error().message});
    if (!by_hand_) return;
    if (const Told told = std::exchange(by_hand_->told, {})) told(std::move(outcome));
    by_hand_.reset();
}

/// Returns why a behavior does not run now.
std::string ThreadAi::why_not(std::string_view id) const {
    for (std::size_t i = 0; i < runner_->tree().size(); ++i) {
        const behavior::Behavior& each = runner_->tree()[i];
        if (each.id() != id) continue;
        return behavior::why_inactive_now(*runner_, each);
    }
    return "there is no such behavior";
}

void ThreadAi::place_zones() {
    if (!navigator_) return;
    motion::PlacedZones placed{navigator_->zones(), navigator_->odom_in_map()};
    if (placed == told_zones_ || (placed.empty() && told_zones_.empty())) return;
    motion_.set_zones(placed);
    told_zones_ = std::move(placed);
}

/// Reports that a robot in a keep-out zone needs a person.
void ThreadAi::look_for_way_out(Instant now) {
    if (!navigator_ || now < way_out_at_) return;
    way_out_at_ = now + std::chrono::seconds(1);
    const std::string zone(navigator_->needs_way_out(now) ? navigator_->closed_in() : "");
    if (!zone.empty() && zone != closed_in_)
        buffers_.report_error(
            fmt::format("it is in the keep-out zone {}: drive it out, or forget the zone", zone));
    closed_in_ = zone;
}

void ThreadAi::publish() {
    AiBoard board{.stack = {},
                  .cube = std::string(cubes::to_string(cubes_.coordinator.state())),
                  .cube_events = cube_events_,
                  .ignores_dock = ignores_dock_,
                  .ignores_go = ignores_go_,
                  .cube_facts = lasting_cube_facts(cubes_, navigator_.get(), cube_localization_.is_known())};
    if (navigator_) board.odom_in_map = navigator_->odom_in_map();
    if (runs_ && runner_)
        for (const behavior::Behavior* const each : runner_->stack()) board.stack.push_back(each->id());
    if (navigator_) {
        board.failed_docks = navigator_->failed_docks();
        board.dock_failure = navigator_->dock_failure();
        board.arrivals = navigator_->errand().arrivals;
        board.failed_goes = navigator_->errand().failed_tries;
        board.go_failure = navigator_->errand().failure;
        board.lost_places = navigator_->errand().losses;
        board.place_loss = navigator_->errand().loss;
        board.places = places_line(*navigator_);
        board.zones = navigator_->zones();
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
    cube_facts_.apply_to(facts_, cubes_);
    if (navigator_) set_navigator_facts(facts_, *navigator_);
    facts_.set("cube_localized", cube_localization_.is_known());
    const Instant now = strand_.loop().clock().now();
    for (const auto& [name, heard_at] : bus_ages_) facts_.set(name, to_seconds(now - heard_at));
}

const behavior::FactDeclaration* ThreadAi::declaration_of(std::string_view fact) const {
    const behavior::FactDeclaration* declared = behavior::find_fact(plan_.facts, fact);
    return declared ? declared : behavior::find_fact(classes_.facts(), fact);
}

Result<void> ThreadAi::knows_fact(std::string_view name) const {
    if (declaration_of(name) || facts_.find(name)) return {};
    std::vector<std::string> known = behavior::names_of(plan_.facts);
    for (std::string& other : behavior::names_of(classes_.facts())) known.push_back(std::move(other));
    return fail(Code::not_found, fmt::format("neither the robot nor its tree has the fact `{}`{}", name,
                                             instead_of(name, known)));
}

Result<void> ThreadAi::knows_behavior(std::string_view id) const {
    std::vector<std::string> ids;
    for (const behavior::TreeEntry& entry : plan_.entries) ids.push_back(entry.id);
    if (std::ranges::find(ids, id) != ids.end()) return {};
    return fail(Code::not_found, fmt::format("there is no behavior `{}`{}", id, instead_of(id, ids)));
}

Result<const behavior::FactDeclaration*> ThreadAi::settable(std::string_view fact) const {
    if (const auto known = knows_fact(fact); !known) return fail(known.error());
    const behavior::FactDeclaration* declared = declaration_of(fact);
    if (!declared) return fail(Code::refused, fmt::format("the fact `{}` is not declared", fact));
    if (!declared->is_settable)
        return fail(Code::refused, fmt::format("the robot itself sets the fact `{}`", fact));
    return declared;
}

Result<void> ThreadAi::change(std::string_view fact, const behavior::Value& value) {
    const auto declared = settable(fact);
    if (!declared) return fail(declared.error());
    if (!behavior::fits(**declared, value))
        return fail(Code::invalid_argument, fmt::format("the fact `{}` is {}, found {}", fact,
                                                        describe(**declared), behavior::to_string(value)));
    fact_changes_.set(std::string(fact), value);
    return {};
}

Result<std::string> ThreadAi::change(std::string_view setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return fail(Code::invalid_argument,
                    fmt::format("expected `set FACT=VALUE`, found `set {}`", setting));
    const std::string_view fact = trimmed(setting.substr(0, equals));
    const auto declared = settable(fact);
    if (!declared) return fail(declared.error());
    auto value = behavior::value_from(**declared, trimmed(setting.substr(equals + 1)));
    if (!value) return fail(std::move(value.error()));
    fact_changes_.set(std::string(fact), *value);
    return fmt::format("{} is {} from the next tick on", fact, behavior::to_string(*value));
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
    strand_.post_here(
        [this, line = std::move(line), told = std::move(told)] { told(answer_about_cubes(line)); });
}

Result<std::string> ThreadAi::answer_about_cubes(std::string_view line) {
    if (CubePlaces::knows(line)) {
        if (parts_.simulated_cubes) return parts_.simulated_cubes->run(line);
        return fail(Code::unavailable, "only simulated cubes can be touched by a command");
    }
    Result<std::string> answer = console_.run(line);
    if (answer && line == "help" && parts_.simulated_cubes)
        for (const cubes::CubeCommand& one : CubePlaces::commands())
            *answer += fmt::format("{:<50} {}\n", one.usage, one.about);
    return answer;
}

void ThreadAi::ask_behaviors(std::string line, Told told) {
    strand_.post_here([this, line = std::move(line), told = std::move(told)] {
        if (runner_ && line.starts_with("start "))
            start_by_hand(trimmed(std::string_view(line).substr(6)), told);
        else
            told(without_line_end(answer(line)));
    });
}

void ThreadAi::ask_map(std::string line, Told told) {
    strand_.post_here(
        [this, line = std::move(line), told = std::move(told)] { told(answer_about_map(line)); });
}

void ThreadAi::send_to(std::string place, Told told) {
    strand_.post_here([this, place = std::move(place), told = std::move(told)] {
        if (!navigator_) return told(fail(Code::unavailable, "this robot has no map"));
        const auto pose = navigator_->place(place);
        if (!pose) return told(fail(pose.error()));
        navigator_->set_errand(map::Place{place, *pose});
        facts_.set("go_wanted", true);
        told(std::string());
    });
}

void ThreadAi::call_back() {
    strand_.post_here([this] {
        if (navigator_) navigator_->set_errand({});
        facts_.set("go_wanted", false);
    });
}

Result<std::string> ThreadAi::answer_about_map(std::string_view line) {
    if (!navigator_) return fail(Code::unavailable, "this robot has no map");
    std::string may_load;
    if (runs_)
        may_load = "behaviors run, and drive on the present map; `set_run_mode mode=3` ends that";
    else if (round_->motion.movement != motion::MovementClass::halt)
        may_load = "it moves; halt it first";
    return maps_.run(line, *navigator_, may_load, strand_.loop().clock().now());
}

Result<std::string> ThreadAi::answer(std::string_view line) {
    static const std::vector<std::string> words{"show",  "doing", "why",    "facts",  "set", "start",
                                                "force", "reset", "reload", "record", "help"};
    const std::size_t blank = line.find(' ');
    const std::string_view word = line.substr(0, blank);
    const std::string_view rest = blank == std::string_view::npos ? "" : trimmed(line.substr(blank));
    if (word == "help")
        return std::string(
            "show: the stack\ndoing: what it does and why, in a sentence\nwhy [ID]: each behavior that "
            "sleeps, or this one, and why\nfacts\n"
            "set FACT=VALUE: a fact that the tree declares\n"
            "start ID: this one in place of the base, until it ends\n"
            "force ID NUMBER true|false|free: what a condition of it answers\n"
            "reset: the stack is emptied, and begins again with the base\n"
            "reload [FILE...]: read the tree again, or another one beside the configuration; a bad one is "
            "refused\n"
            "record [NUMBER OFFSET]: copy the recording of the latest ticks, or read a piece of the copy; "
            "see "
            "`caribou tree record`\n");
    if (!runner_) return fail(Code::unavailable, "there is no tree of behaviors");
    if (!rest.empty() && (word == "show" || word == "doing" || word == "facts" || word == "reset"))
        return fail(Code::invalid_argument, fmt::format("`{}` takes no argument, found `{}`", word, rest));
    if (word == "show") return stack_text();
    if (word == "doing") return doing();
    if (word == "why") return rest.empty() ? sleeper_text() : sleeper_text(rest);
    if (word == "start") return fail(Code::invalid_argument, "it is `start BEHAVIOR`");
    if (word == "force") return force(rest);
    if (word == "reload") return reload(rest);
    if (word == "record") return recording_desk_.answer(rest, recorder_.bytes());
    if (word == "set") return change(rest);
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
    if (!runs_) return told(fail(Code::wrong_state, why_nothing_runs()));
    if (const auto known = knows_behavior(id); !known)
        return told(fail(Code::invalid_argument, known.error().message));
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
        return to_json(behavior::picture_of(*runner_, plan_, recent_, zero));
    if (view == views::View::cubes) return to_json(cubes::picture_of(cubes_, clock));
    if (view == views::View::map && navigator_) return map_picture(*navigator_, clock.unix_seconds());
    if (view == views::View::places && navigator_) return places_json(*navigator_);
    if (view == views::View::plan && navigator_) return plan(clock.now());
    return {};
}

std::string ThreadAi::why_nothing_runs() const {
    if (!runs_)
        return fmt::format("behaviors run in RM2, and the robot is in {}; `set_run_mode mode=2` changes that",
                           link::to_string(buffers_.mode_board.copy().run_mode));
    if (!base_end_.empty()) return base_end_ + "; `reset` starts it again";
    if (round_->number == 0) return "there is no telemetry yet";
    const behavior::Behavior* base = runner_->tree().find(by_hand_ ? by_hand_->id : base_);
    return fmt::format("{} declines: {}", base->id(), why_not(base->id()));
}

std::string ThreadAi::stack_text() const {
    std::string text;
    for (const behavior::Behavior* const each : runner_->stack())
        text += fmt::format("{}{}", text.empty() ? "" : " > ", each->id());
    return text.empty() ? "nothing is active: " + why_nothing_runs() : text;
}

Result<std::string> ThreadAi::sleeper_text(std::string_view id) const {
    if (const auto known = knows_behavior(id); !known) return fail(known.error());
    if (!runs_) return fmt::format("{}: {}\n", id, why_nothing_runs());
    const bool is_active = runner_->tree().find(id)->state() == behavior::Behavior::State::active;
    return fmt::format("{}: {}\n", id, is_active ? "it is active" : why_not(id));
}

std::string ThreadAi::sleeper_text() const {
    if (!runs_ || runner_->idle()) return "nothing is active: " + why_nothing_runs() + "\n";
    std::string text;
    for (std::size_t i = 0; i < runner_->tree().size(); ++i) {
        const behavior::Behavior& each = runner_->tree()[i];
        if (each.state() == behavior::Behavior::State::active) continue;
        text += fmt::format("{}: {}\n", each.id(), behavior::why_inactive_now(*runner_, each));
    }
    return text;
}

}  // namespace caribou::robot
