#include "caribou/timer_script_app.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/words.hpp"
#include "platform/random_bytes.hpp"

namespace caribou::app {
namespace {

using bus::same_key;
using bus::TimerScript;

constexpr Duration status_interval = std::chrono::seconds(5);
constexpr double above_zero = std::numeric_limits<double>::min();

Random new_random() {
    std::array<std::uint64_t, 1> seed{};
    fill_with_random_bytes(std::as_writable_bytes(std::span(seed)));
    return Random(seed[0]);
}

/// Returns a check that a value is one of some words, or a number that is at least `least`.
bus::Parameters::Check check_choice(std::vector<std::string_view> known, std::optional<double> least,
                                    std::string expected) {
    return [known = std::move(known), least, expected = std::move(expected)](auto text) -> Result<void> {
        const auto is_this = [&](std::string_view one) { return same_key(one, text); };
        const auto number = number_in(text);
        if (std::ranges::any_of(known, is_this) || (least && number && *number >= *least && *number <= 1e12))
            return {};
        return fail(Code::invalid_argument, fmt::format("expected {}, found `{}`", expected, text));
    };
}

}  // namespace

TimerScriptApp::TimerScriptApp(bus::AppFrame& frame) : App(frame) {
    auto& words = parameters();
    words.add("event", events_, bus::check_by(bus::parse_timer_event),
              "var=NAME, val=TEXT, time=5:10 [, amt=2]; or quit, time=60");
    words.add("rand_var", macros_, bus::check_by(bus::parse_timer_macro),
              "varname=N, min=1, max=5 [, key=at_start|at_reset|at_post] [, snap=0.5]: the value of $[N]");
    words.add("condition", condition_words_, bus::check_by(bus::LogicCondition::parse),
              "script time passes only while all conditions hold, such as (DEPLOY = true)");
    words.add("block_on", block_on_, "clients that must be connected first, separated by commas");
    words.add("script_name", script_name_, "name in the status");
    words.add("reset_time", reset_time_,
              check_choice({"none", "all-posted", "end"}, above_zero, "none, all-posted, or seconds"),
              "none, all-posted, or seconds of script time");
    words.add("reset_max", reset_max_, check_choice({"nolimit", "any"}, 0, "nolimit or a number"),
              "most resets: nolimit or a number");
    words.add("delay_start", delay_start_, bus::check_by(bus::parse_number_span),
              "seconds before the script, such as 5 or 5:10");
    words.add("delay_reset", delay_reset_, bus::check_by(bus::parse_number_span),
              "seconds before the script after a reset");
    words.add("shuffle", shuffle_, "draw the times of events again at each reset");
    words.add("time_warp", time_warp_, {0.001, 1000}, "seconds of script time per second");
    words.add("time_zero", time_zero_,
              check_choice({"script_start", "db_start"}, std::nullopt, "script_start or db_start"),
              "script_start or db_start");
    words.add("script_atomic", atomic_, "once begun, finish also if a condition no longer holds");
    words.add("upon_awake", upon_awake_,
              check_choice({"n/a", "reset", "restart"}, std::nullopt, "n/a, reset or restart"),
              "when the conditions hold again: n/a, reset or restart");
    words.add("paused", paused_, "start paused");
    words.add("pause_var", pause_var_, "variable that pauses: true, false or toggle");
    words.add("forward_var", forward_var_, "variable that advances: seconds; 0 or less: to the next event");
    words.add("reset_var", reset_var_, "variable that resets: reset or true");
    words.add("status_var", status_var_, "variable of the status");
    words.add_unsupported("rand_pair");
    words.add_unsupported("verbose");
    appcast([this] { return script_->table(); });
}

TimerScript::Settings TimerScriptApp::settings() const {
    using Reset = TimerScript::Reset;
    using Awake = TimerScript::Awake;
    const auto seconds = number_in(reset_time_);
    const auto most = number_in(reset_max_);
    // Each value was checked when it was read.
    TimerScript::Settings all{.name = script_name_,
                              .reset = seconds                         ? Reset::after
                                       : same_key(reset_time_, "none") ? Reset::never
                                                                       : Reset::all_posted,
                              .shuffle = shuffle_,
                              .time_warp = time_warp_,
                              .from_db_start = same_key(time_zero_, "db_start"),
                              .is_atomic = atomic_,
                              .paused = paused_};
    for (const std::string& text : events_) all.events.push_back(bus::parse_timer_event(text).value());
    for (const std::string& text : macros_) all.macros.push_back(bus::parse_timer_macro(text).value());
    if (same_key(upon_awake_, "reset")) all.upon_awake = Awake::reset;
    if (same_key(upon_awake_, "restart")) all.upon_awake = Awake::restart;
    all.reset_time = seconds.value_or(0);
    all.most_resets = most ? static_cast<std::int64_t>(*most) : -1;
    all.delay_start = bus::parse_number_span(delay_start_).value();
    all.delay_reset = bus::parse_number_span(delay_reset_).value();
    return all;
}

Result<void> TimerScriptApp::on_start_up() {
    script_.emplace(settings(), new_random());
    for (const std::string& text : condition_words_)
        conditions_.push_back(bus::LogicCondition::parse(text).value());
    programs_ = parts_of_lists(block_on_);
    next_status_ = now();
    return {};
}

Result<void> TimerScriptApp::on_connect_to_server() {
    for (const std::string& variable : {pause_var_, forward_var_, reset_var_}) register_variable(variable);
    for (const auto* variable : {"DB_UPTIME", "DB_CLIENTS", "NAV_X", "NAV_Y"}) register_variable(variable);
    for (const bus::LogicCondition& condition : conditions_)
        for (const std::string& variable : condition.variables()) register_variable(variable);
    return {};
}

Result<void> TimerScriptApp::on_new_mail(std::span<const wire::Message> mail) {
    for (const wire::Message& message : mail) {
        obey(message);
        latest_.insert_or_assign(message.key, message);
    }
    return {};
}

void TimerScriptApp::obey(const wire::Message& message) {
    const std::string& text = message.payload;
    if (message.key == pause_var_) {
        const bool toggles = same_key(text, "toggle");
        if (toggles || same_key(text, "true") || same_key(text, "false"))
            script_->pause(toggles ? !script_->paused() : same_key(text, "true"));
    }
    if (!is_new(message)) return;
    if (message.key == forward_var_ && message.is_number()) script_->forward(message.value);
    if (message.key == reset_var_ && (same_key(text, "reset") || same_key(text, "true")))
        if (!script_->reset()) add_event("The script was reset as often as reset_max permits.");
}

bool TimerScriptApp::runs() const {
    const auto value_of = [this](const std::string& variable) {
        const auto found = latest_.find(variable);
        return found == latest_.end() ? nullptr : &found->second;
    };
    const wire::Message* const clients = value_of("DB_CLIENTS");
    const std::string list = "," + (clients ? clients->payload : "") + ",";
    return std::ranges::all_of(conditions_, [&](const auto& one) { return one.holds(value_of); }) &&
           std::ranges::all_of(programs_, [&](const auto& name) { return list.contains("," + name + ","); });
}

TimerScript::Facts TimerScriptApp::facts() {
    const auto number = [this](const char* variable) -> std::optional<double> {
        const auto found = latest_.find(variable);
        if (found == latest_.end() || !found->second.is_number()) return std::nullopt;
        return found->second.value;
    };
    TimerScript::Facts all{.utc = stamp(),
                           .db_uptime = number("DB_UPTIME"),
                           .community = comms().community(),
                           .nav_x = number("NAV_X"),
                           .nav_y = number("NAV_Y")};
    if (all.db_uptime) *all.db_uptime += std::max(0.0, stamp() - latest_.find("DB_UPTIME")->second.time);
    return all;
}

Result<void> TimerScriptApp::iterate() {
    if (!comms().connected()) return {};
    for (const TimerScript::Post& post : script_->step(now(), runs(), facts())) publish(post);
    if (now() >= next_status_) {
        next_status_ = now() + status_interval;
        notify(status_var_, script_->status());
    }
    return {};
}

void TimerScriptApp::publish(const TimerScript::Post& post) {
    if (post.variable.empty()) {
        notify("EXITED_NORMALLY", name());
        return quit();
    }
    add_event(fmt::format("{} = {}", post.variable, post.text));
    if (post.number)
        notify(post.variable, *post.number);
    else
        notify(post.variable, post.text);
}

}  // namespace caribou::app
