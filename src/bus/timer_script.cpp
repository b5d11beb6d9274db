#include "bus/timer_script.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "bus/timer_script_value.hpp"

namespace caribou::bus {
namespace {

constexpr std::string_view yes_no(bool flag) { return flag ? "true" : "false"; }

constexpr std::string_view name_of(TimerScript::Awake awake) {
    switch (awake) {
        case TimerScript::Awake::reset: return "reset";
        case TimerScript::Awake::restart: return "restart";
        case TimerScript::Awake::nothing: break;
    }
    return "n/a";
}

/// Whether a value counts as a number: digits with a sign and a point, without exponent.
bool is_plain_number(std::string_view text) {
    return text.find_first_not_of("+-.0123456789") == std::string_view::npos && number_in(text);
}

}  // namespace

TimerScript::TimerScript(Settings settings, Random random) : settings_(std::move(settings)), random_(random) {
    for (std::size_t i = 0; i < settings_.events.size(); ++i)
        for (int copy = 0; copy < settings_.events[i].amount; ++copy) events_.push_back({i, 0});
    draw(TimerMacro::Drawn::at_start);
    start(settings_.delay_start, true);
}

void TimerScript::start(const NumberSpan& delay, bool draws_times) {
    draw(TimerMacro::Drawn::at_reset);
    elapsed_ = -delay.pick(random_);
    posted_ = 0;
    if (!draws_times) return;
    for (Pending& pending : events_) pending.time = event_of(pending).time.pick(random_);
    std::ranges::stable_sort(events_, {}, &Pending::time);
}

void TimerScript::draw(TimerMacro::Drawn at) {
    for (const TimerMacro& macro : settings_.macros)
        if (macro.drawn == at) values_[macro.name] = macro.pick(random_);
}

bool TimerScript::reset() {
    if (settings_.most_resets >= 0 && resets_ >= settings_.most_resets) return false;
    ++resets_;
    start(settings_.delay_reset, settings_.shuffle);
    return true;
}

void TimerScript::forward(double seconds) {
    if (seconds > 0)
        elapsed_ += seconds;
    else if (posted_ < events_.size())
        elapsed_ = std::max(elapsed_, events_[posted_].time);
}

void TimerScript::wake(bool runs) {
    if (runs && !ran_ && std::exchange(woke_before_, true)) {
        if (settings_.upon_awake == Awake::reset) reset();
        if (settings_.upon_awake == Awake::restart) start(settings_.delay_reset, settings_.shuffle);
    }
    ran_ = runs;
}

std::vector<TimerScript::Post> TimerScript::step(Instant now, bool runs, const Facts& facts) {
    const double passed = last_ ? to_seconds(now - *last_) : 0;
    last_ = now;
    if (settings_.from_db_start && !is_placed_) {
        if (!facts.db_uptime) return {};
        elapsed_ += *facts.db_uptime;
        is_placed_ = true;
    }
    wake(runs);
    const bool has_begun = posted_ > 0 && posted_ < events_.size();
    if (settings_.paused || (!runs && !(settings_.is_atomic && has_begun))) return {};
    elapsed_ += std::max(passed, 0.0) * settings_.time_warp;
    std::vector<Post> posts;
    for (; posted_ < events_.size() && events_[posted_].time <= elapsed_; ++posted_, ++posted_in_all_)
        posts.push_back(post_of(event_of(events_[posted_]), facts));
    const bool is_over = settings_.reset == Reset::all_posted && posted_ == events_.size() && elapsed_ >= 0;
    if (is_over || (settings_.reset == Reset::after && elapsed_ >= settings_.reset_time)) reset();
    return posts;
}

TimerScript::Post TimerScript::post_of(const TimerEvent& event, const Facts& facts) {
    if (event.quits) return {};
    draw(TimerMacro::Drawn::at_post);
    Post post{.variable = event.variable,
              .text = calculate_braces(
                  replace_macros(event.text, [&](std::string_view name) { return macro(name, facts); }))};
    if (!event.is_quoted && is_plain_number(post.text)) post.number = number_in(post.text);
    return post;
}

std::optional<std::string> TimerScript::macro(std::string_view name, const Facts& facts) {
    if (const auto found = values_.find(name); found != values_.end()) return short_number(found->second);
    if (name == "UTC" || name == "UTCTIME") return fmt::format("{:.2f}", facts.utc);
    if (name == "DBTIME" && facts.db_uptime) return fmt::format("{:.2f}", *facts.db_uptime);
    if (name == "COUNT") return fmt::format("{}", posted_);
    if (name == "IDX") return fmt::format("{:03}", posted_);
    if (name == "TCOUNT") return fmt::format("{}", posted_in_all_);
    if (name == "VNAME") return facts.community;
    if (name == "NAV_X" && facts.nav_x) return short_number(*facts.nav_x);
    if (name == "NAV_Y" && facts.nav_y) return short_number(*facts.nav_y);
    const auto digits = is_plain_number(name) ? number_in(name) : std::nullopt;
    if (!digits || *digits < 1 || *digits > 20) return std::nullopt;
    std::string text;
    for (int i = 0; i < static_cast<int>(*digits); ++i)
        text += static_cast<char>('0' + static_cast<char>(random_.below(10)));
    return text;
}

std::string TimerScript::status() const {
    const std::string most =
        settings_.most_resets < 0 ? std::string("nolimit") : fmt::format("{}", settings_.most_resets);
    return fmt::format(
        "name={}, elapsed_time={:.2f}, posted={}, pending={}, paused={}, conditions_ok={}, time_warp={}, "
        "delay_start={}, delay_reset={}, shuffle={}, upon_awake={}, resets={}/{}",
        settings_.name, elapsed_, posted_, events_.size() - posted_, yes_no(settings_.paused), yes_no(ran_),
        number_text(settings_.time_warp), settings_.delay_start.text(), settings_.delay_reset.text(),
        yes_no(settings_.shuffle), name_of(settings_.upon_awake), resets_, most);
}

std::string TimerScript::table() const {
    constexpr std::size_t most_lines = 20;
    std::string text = fmt::format("Script {}: {:.2f} s, {} of {} posted, {} resets{}{}\n", settings_.name,
                                   elapsed_, posted_, events_.size(), resets_,
                                   settings_.paused ? ", paused" : "", ran_ ? "" : ", waiting");
    for (std::size_t i = posted_; i < std::min(events_.size(), posted_ + most_lines); ++i) {
        const TimerEvent& event = event_of(events_[i]);
        fmt::format_to(std::back_inserter(text), "  {:.2f}  {} = {}\n", events_[i].time,
                       event.quits ? "quit" : event.variable, event.text);
    }
    return text;
}

}  // namespace caribou::bus
