#include "caribou/timer_script_app.hpp"

#include <algorithm>
#include <array>
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

Random new_random() {
    std::array<std::uint64_t, 1> seed{};
    fill_with_random_bytes(std::as_writable_bytes(std::span(seed)));
    return Random(seed[0]);
}

std::unexpected<Error> wrong_value(std::string_view key, std::string_view value, std::string_view expected) {
    return fail(Code::invalid_argument, fmt::format("{} is `{}`; expected {}", key, value, expected));
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
    words.add("reset_time", reset_time_, "none, all-posted, or seconds of script time");
    words.add("reset_max", reset_max_, "most resets: nolimit or a number");
    words.add("delay_start", delay_start_, "seconds before the script, such as 5 or 5:10");
    words.add("delay_reset", delay_reset_, "seconds before the script after a reset");
    words.add("shuffle", shuffle_, "draw the times of events again at each reset");
    words.add("time_warp", time_warp_, {0.001, 1000}, "seconds of script time per second");
    words.add("time_zero", time_zero_, "script_start or db_start");
    words.add("script_atomic", atomic_, "once begun, finish also if a condition no longer holds");
    words.add("upon_awake", upon_awake_, "when the conditions hold again: n/a, reset or restart");
    words.add("paused", paused_, "start paused");
    words.add("pause_var", pause_var_, "variable that pauses: true, false or toggle");
    words.add("forward_var", forward_var_, "variable that advances: seconds; 0 or less: to the next event");
    words.add("reset_var", reset_var_, "variable that resets: reset or true");
    words.add("status_var", status_var_, "variable of the status");
    words.add_unsupported("rand_pair");
    words.add_unsupported("verbose");
    appcast([this] { return script_->table(); });
}

Result<void> TimerScriptApp::read_reset(TimerScript::Settings& into) const {
    using Reset = TimerScript::Reset;
    const auto seconds = number_in(reset_time_);
    if (same_key(reset_time_, "none"))
        into.reset = Reset::never;
    else if (same_key(reset_time_, "all-posted") || same_key(reset_time_, "end"))
        into.reset = Reset::all_posted;
    else if (seconds && *seconds > 0)
        into.reset = Reset::after;
    else
        return wrong_value("reset_time", reset_time_, "none, all-posted, or seconds");
    into.reset_time = seconds.value_or(0);
    const auto most = number_in(reset_max_);
    const bool is_unlimited = same_key(reset_max_, "nolimit") || same_key(reset_max_, "any");
    if (!is_unlimited && (!most || *most < 0 || *most > 1e12))
        return wrong_value("reset_max", reset_max_, "nolimit or a number");
    into.most_resets = is_unlimited ? -1 : static_cast<std::int64_t>(*most);
    return {};
}

Result<TimerScript::Settings> TimerScriptApp::settings() const {
    TimerScript::Settings all{.name = script_name_,
                              .shuffle = shuffle_,
                              .time_warp = time_warp_,
                              .from_db_start = same_key(time_zero_, "db_start"),
                              .is_atomic = atomic_,
                              .paused = paused_};
    // Each line was checked when it was read.
    for (const std::string& text : events_) all.events.push_back(bus::parse_timer_event(text).value());
    for (const std::string& text : macros_) all.macros.push_back(bus::parse_timer_macro(text).value());
    if (!all.from_db_start && !same_key(time_zero_, "script_start"))
        return wrong_value("time_zero", time_zero_, "script_start or db_start");
    if (same_key(upon_awake_, "reset"))
        all.upon_awake = TimerScript::Awake::reset;
    else if (same_key(upon_awake_, "restart"))
        all.upon_awake = TimerScript::Awake::restart;
    else if (!same_key(upon_awake_, "n/a"))
        return wrong_value("upon_awake", upon_awake_, "n/a, reset or restart");
    if (auto read = read_reset(all); !read) return fail(std::move(read.error()));
    const auto start = bus::parse_number_span(delay_start_);
    if (!start) return fail(start.error().code, "delay_start: " + start.error().message);
    const auto again = bus::parse_number_span(delay_reset_);
    if (!again) return fail(again.error().code, "delay_reset: " + again.error().message);
    all.delay_start = *start;
    all.delay_reset = *again;
    return all;
}

Result<void> TimerScriptApp::on_start_up() {
    auto read = settings();
    if (!read) return fail(std::move(read.error()));
    script_.emplace(std::move(*read), new_random());
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
