#include "robot/thread_main.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "robot/power_table.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::RunMode;
using link::WaitReason;

constexpr Duration step_limit = 5s;
constexpr Duration heartbeat = 1s;
/// Time for answers to be sent before everything ends.
constexpr Duration answer_time = 100ms;
constexpr Duration farewell = 300ms;  ///< for the telemetry that shows the end of sending
/// How long a periodically listening robot listens each time.
constexpr Duration short_time = 2s;
/// Interval of the configuration checks, and how many consecutive failures count as a loss: an editor may
/// remove the file briefly.
constexpr Duration configuration_look = 10s;
constexpr int configuration_looks = 3;
constexpr std::string_view state_lost = "state lost";
constexpr std::string_view latch_not_stored = "latch not stored";
constexpr std::string_view guard_cut = "guard cut";
constexpr std::string_view guard_gave_up = "guard gave up";
constexpr std::string_view unguarded_body = "unguarded body";
constexpr std::string_view not_self_checked = "not self-checked";
constexpr std::string_view behavior_tree = "behavior_tree";

std::vector<StartUp::Step> steps_of(const RobotConfig& config) {
    const auto wanted = link::directions_of(static_cast<link::ComMode>(config.default_com_mode));
    std::vector<StartUp::Step> steps{{ThreadName::propulsion}, {ThreadName::telemetry}};
    if (wanted.sending) steps.push_back({ThreadName::transmission});
    if (wanted.receiving) steps.push_back({ThreadName::receiver});
    steps.push_back({ThreadName::ai, config.default_run_mode == 2});
    return steps;
}

ComRules com_rules(const RobotConfig& config) {
    return {.wanted = link::directions_of(static_cast<link::ComMode>(config.default_com_mode)),
            .link_lost = config.link_limit()};
}

ChargeRules charge_rules(const RobotConfig& config) {
    return {.full_level = config.full_level,
            .full_current = config.full_current,
            .hold = from_seconds(config.full_hold)};
}

motion::BodyLights lights_in(RunMode mode) {
    switch (mode) {
        case RunMode::rm1: return motion::BodyLights::asleep;
        case RunMode::rm2: return motion::BodyLights::awake;
        case RunMode::rm3: return motion::BodyLights::driven;
        default: return motion::BodyLights::off;
    }
}

}  // namespace

ThreadMain::ThreadMain(const MainParts& parts, const RobotConfig& config)
    : parts_(parts),
      config_(config),
      modes_({.allow_blind_server_mode = config.allow_blind_server_mode,
              .wake_mode = static_cast<RunMode>(config.wake_mode),
              .not_self_checked = parts.not_self_checked},
             com_rules(config)),
      charger_(charge_rules(config)),
      sensors_(parts.body, parts.buffers, config.sensors_off),
      start_up_(steps_of(config), step_limit),
      latch_(parts.strand, parts.latch, [this](const std::string& not_stored) { on_latch(not_stored); }),
      main_cmd_(parts.strand, RobotBuffers::most_commands + RobotBuffers::most_notes, WhenFull::refuse,
                [this] { on_items(); }),
      session_end_event_(parts.strand,
                         [this] {
                             std::ignore = session_end_event_.take();
                             handler_->release_gone();
                         }),
      telemetry_buffer_event_(parts.strand, [this] { on_telemetry(); }),
      timer_(parts.strand.loop().make_timer([this] { on_time(); })) {
    handler_ = std::make_unique<CommandHandler>(
        parts.strand, modes_, parts.motion, parts.buffers, sensors_, parts.ai, parts.store, parts.log,
        CommandHandler::Hands{
            .apply = [this](const ModeChange& change) { apply(change); },
            .disable_server = [this](std::optional<Duration> back) { disable_server(back); },
            .collect_telemetry = [this](bool on) { collect_telemetry(on); },
            .set_udp_port =
                [this](std::uint16_t port) {
                    if (station_) station_->port = port;
                    parts_.buffers.tell_transmission(SetDestination{station_});
                },
            .drop_server = [this] { drop_server(); },
            .latch =
                [this](bool stopped, motion::StopLatch::Told told) {
                    if (!stopped) return latch_.release(std::move(told));
                    latch_.stop(parts_.motion.report().stop.value_or(motion::StopCause::operator_),
                                std::move(told));
                },
            .may_reboot = [this] { return parts_.reboots.reboot(now()); },
            .status = [this] { return status(); },
            .ai_complaint =
                [this] {
                    const std::string* const complaint = start_up_.complaint_of(ThreadName::ai);
                    return complaint ? *complaint : std::string();
                },
            .body_trouble =
                [this] { return guard_trouble_.empty() ? parts_.body.absence() : guard_trouble_; },
            .faults = [this](std::string_view line) { return faults(line); },
        });
    parts_.buffers.main_cmd = &main_cmd_;
    parts_.buffers.session_end_event = &session_end_event_;
    parts_.buffers.telemetry_buffer_event.push_back(&telemetry_buffer_event_);
}

ThreadMain::~ThreadMain() = default;

void ThreadMain::start() {
    next_beat_ = next_call_ = now();
    // Before any mode permits motion.
    if (const auto stop = parts_.latch.stop_at_start()) parts_.motion.full_stop(*stop);
    set_fault(std::string(unguarded_body), parts_.unguarded);
    set_fault(std::string(not_self_checked), !parts_.not_self_checked.empty());
    set_fault(std::string(state_lost), parts_.latch.stop_at_start() == motion::StopCause::state_lost);
    publish_modes();
    arm();
    if (config_.default_run_mode == 0) return apply(*modes_.start({RunMode::rm0}, now()));
    if (parts_.check_software && !passes("software", parts_.check_software())) return;
    if (!passes("hardware", parts_.body.self_check())) return;
    begun_ = true;
    start_next();
}

bool ThreadMain::passes(std::string_view what, const std::vector<motion::PartCheck>& checks) {
    std::string broken;
    for (const motion::PartCheck& check : checks) {
        if (check.outcome) continue;
        parts_.log.warning(fmt::format("{}: {}", check.part, check.outcome.error().message));
        if (check.required) broken += fmt::format("{}{}", broken.empty() ? "" : ", ", check.part);
        set_fault(check.part, true);
    }
    if (!broken.empty()) fail_with(fmt::format("the {} check failed: {}", what, broken));
    return broken.empty();
}

void ThreadMain::start_next() {
    if (!begun_ || end_ || started_) return;
    if (const auto& failure = start_up_.failure()) return fail_with(*failure);
    if (const auto who = start_up_.next(now())) launch(*who);
    if (start_up_.done() && !handshake_until_) {
        handshake_until_ = now() + from_seconds(config_.handshake_limit);
        enter_first_mode();
    }
    arm();
}

void ThreadMain::launch(ThreadName who) {
    parts_.log.debug(fmt::format("starting {}", to_string(who)));
    switch (who) {
        case ThreadName::telemetry:
            return parts_.telemetry_strand.post_here([this] { parts_.telemetry.start(); });
        case ThreadName::transmission:
            return parts_.transmission_strand.post_here([this] { parts_.transmission.start(); });
        case ThreadName::receiver:
            return parts_.receiver_strand.post_here([this] { parts_.receiver.start(); });
        case ThreadName::ai: return parts_.ai_strand.post_here([this] { parts_.ai.start(); });
        default:
            // Propulsion is already running; its first step counts as its report, and may have been earlier.
            if (parts_.motion.report().steps > 0) take(ThreadStarted{.who = ThreadName::propulsion});
    }
}

void ThreadMain::enter_first_mode() {
    // RM3 waits for a station, up to the time limit.
    if (started_ || end_) return;
    if (config_.default_run_mode == 3 && !modes_.link_permits(RunMode::rm3) && now() < *handshake_until_)
        return;
    started_ = true;
    if (const std::string* const why = start_up_.complaint_of(ThreadName::ai); only_tests_ && why)
        return fail_with("ai: " + *why);
    if (only_tests_) return follow(modes_.on_failure(std::string(self_test_over)));
    ModeWish wish{.mode = static_cast<RunMode>(config_.default_run_mode)};
    if (config_.wait_time > 0) wish.time = from_seconds(config_.wait_time);
    if (const auto change = modes_.start(wish, now()))
        apply(*change);
    else
        fail_with(change.error().text);
    if (on_ready_ && !end_) on_ready_();
}

void ThreadMain::on_items() {
    while (auto item = main_cmd_.pop()) std::visit([this](const auto& each) { take(each); }, *item);
    arm();
}

void ThreadMain::take(const ThreadStarted& note) {
    if (note.who == ThreadName::receiver) receive_port_ = note.port;
    if (note.who == ThreadName::transmission && note.outcome)
        follow(modes_.sending(modes_.com().rules().wanted == link::Directions{.sending = true}, now()));
    if (!note.outcome)
        parts_.log.error(fmt::format("{}: {}", to_string(note.who), note.outcome.error().message));
    if (note.runs_anyway) {
        set_fault(std::string(behavior_tree), true);
        parts_.buffers.report_error("the behavior tree is replaced by one that stands still: " +
                                    note.outcome.error().message);
    }
    start_up_.on_started(note.who, note.outcome, now(), note.runs_anyway);
    start_next();
}

void ThreadMain::take(const StationArrived& note) {
    if (!parts_.buffers.is_open(note.seal.station.session)) return;  // its StationLost follows
    station_ = note.send_to;
    station_is_here_ = true;
    comes_back_.reset();
    follow(modes_.heard(now()));
    if (modes_.com().wants_sending()) {
        parts_.buffers.tell_transmission(note.seal);
        parts_.buffers.tell_transmission(SetDestination{station_});
        follow(modes_.sending(true, now()));
        // A station that arrives during a sleep receives one telemetry, which shows the sleep.
        const auto reason = modes_.wait_reason();
        if (reason && !is_powered(*reason, Subsystem::transmission)) fall_silent();
    }
    if (start_up_.done()) enter_first_mode();
}

void ThreadMain::take(const StationHeard& note) {
    if (station_is_here_ && parts_.buffers.is_open(note.session)) follow(modes_.heard(now()));
}

void ThreadMain::take(const StationLost& note) {
    station_is_here_ = false;
    next_call_ = now();
    parts_.buffers.tell_transmission(SealFor{});
    parts_.log.info("the link is lost: " + note.why);
}

void ThreadMain::take(const motion::MotionAnswer& note) { handler_->on_motion_answer(note); }

void ThreadMain::take(const StopChanged& note) {
    if (!note.stop) set_fault(std::string(state_lost), false);
    latch_.on_motion(note.stop);
}

void ThreadMain::on_latch(const std::string& not_stored) {
    if (!not_stored.empty()) parts_.log.error("latch not stored: " + not_stored);
    set_fault(std::string(latch_not_stored), !not_stored.empty());
}

void ThreadMain::on_guard_cut(const std::string& reason) {
    if (!reason.empty()) parts_.log.error("the guard has cut the body: " + reason);
    guard_trouble_ = reason;
    set_fault(std::string(guard_cut), !reason.empty());
}

void ThreadMain::on_guard_gave_up(const std::string& reason) {
    guard_trouble_ = fmt::format("it has given up, because {}; start the robot again", reason);
    parts_.log.error("the guard: " + guard_trouble_);
    set_fault(std::string(guard_gave_up), true);
}

void ThreadMain::follow(const std::optional<ModeChange>& change) {
    if (change)
        apply(*change);
    else
        publish_modes();
}

void ThreadMain::apply(const ModeChange& change) {
    // Motion is revoked before anything else, and permitted after everything else.
    const motion::MotionPermit permit = permit_in(change.to);
    if (!permit.motors) parts_.motion.permit({});
    parts_.log.info(to_string(change));
    publish_modes();
    handler_->on_mode(change);
    // The behaviors need telemetry: in RM2 disable_telemetry is refused, and entering RM2 enables it.
    if (change.to == RunMode::rm2 && !collects_) collect_telemetry(true);
    parts_.ai.run(change.to == RunMode::rm2);
    power(change.to, change.reason.value_or(WaitReason::charging));
    if (change.reason == WaitReason::charging || change.to != RunMode::rm2)
        parts_.ai.set_fact("dock_wanted", false);
    parts_.body.set_lights(lights_in(change.to));
    if (modes_.busy()) return go_down(change);
    parts_.motion.permit(permit);
    arm();
}

void ThreadMain::collect_telemetry(bool on) {
    collects_ = on;
    sensors_.power_all(on);
    parts_.buffers.tell_telemetry({.collects = on});
}

void ThreadMain::power(RunMode mode, WaitReason reason) {
    sensors_.power_for_driving(is_powered(mode, reason, Subsystem::sensors));
    parts_.buffers.tell_telemetry({.collects = collects_ && is_powered(mode, reason, Subsystem::telemetry)});
    const bool sends = is_powered(mode, reason, Subsystem::transmission);
    quiet_at_.reset();
    if (station_ && sends) parts_.buffers.tell_transmission(SetDestination{station_});
    if (!sends) fall_silent();
}

void ThreadMain::fall_silent() {
    // A sleeper that goes to RM0 has no destination any more.
    if (station_) parts_.buffers.tell_transmission(SetDestination{station_});
    parts_.telemetry_strand.post_here([this] { parts_.telemetry.show(); });
    if (station_) quiet_at_ = now() + farewell;
}

void ThreadMain::go_down(const ModeChange& change) {
    if (change.to == RunMode::rm0 && change.why != "requested" && change.why != "configured")
        parts_.buffers.report_error(to_string(change));
    parts_.motion.full_stop(motion::StopCause::shutdown);
    end_ = change;
    end_at_ = now() + answer_time;
    handler_->finish(change);
    arm();
}

void ThreadMain::shut_down(const std::string& why) { follow(modes_.on_failure(why)); }

void ThreadMain::power_off() { follow(modes_.on_signal(link::WakeSignal::power_off)); }

void ThreadMain::fail_with(const std::string& why) {
    parts_.log.error(why);
    follow(modes_.on_failure(why));
}

void ThreadMain::set_fault(const std::string& fault, bool present) {
    const bool changed = present ? faults_.insert(fault).second : faults_.erase(fault) > 0;
    if (changed && present) parts_.buffers.report_error(fault);
    if (changed) publish_modes();
}

void ThreadMain::publish_modes() {
    parts_.buffers.mode_board.write({modes_.modes(), {faults_.begin(), faults_.end()}});
}

void ThreadMain::on_telemetry() {
    std::ignore = telemetry_buffer_event_.take();
    const auto round = parts_.buffers.telemetry_buffer.copy();
    if (!round || end_) return;
    watch_charger(*round);
    handler_->watch_docking();
    end_on(round->motion.faults);
    if (on_round_ && !end_) on_round_(*round);
}

void ThreadMain::end_on(const motion::MotionFaults& faults) {
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(motion::last_motion_fault); ++i)
        if (const auto fault = static_cast<motion::MotionFault>(i); faults.contains(fault))
            names.push_back(to_string(fault));
    if (!names.empty() && !end_) fail_with(fmt::format("{}", fmt::join(names, ", ")));
}

void ThreadMain::watch_charger(const TelemetryRound& round) {
    const motion::BatteryReading* battery = nullptr;
    const motion::ChargerReading* charger = nullptr;
    for (const SensorSample& sample : round.samples) {
        if (const auto* reading = std::get_if<motion::BatteryReading>(&sample.reading)) battery = reading;
        if (const auto* reading = std::get_if<motion::ChargerReading>(&sample.reading)) charger = reading;
    }
    if (!battery || !charger) return;
    const auto event =
        charger_.on_reading(*battery, *charger, modes_.wait_reason() == WaitReason::charging, now());
    modes_.set_charger(charger_.takes_current());
    if (event == ChargeWatch::Event::docked) {
        set_fault("charger_lost", false);
        follow(modes_.on_docked(now()));
    } else if (event == ChargeWatch::Event::fully_charged) {
        follow(modes_.on_signal(link::WakeSignal::fully_charged));
    } else if (event == ChargeWatch::Event::charger_lost) {
        set_fault("charger_lost", true);
        follow(modes_.on_charger_lost());
    }
}

void ThreadMain::on_time() {
    const Instant at = now();
    parts_.buffers.prove_alive(ThreadName::main, at);
    if (end_) {
        if (at < end_at_) return arm();
        if (on_end_) std::exchange(on_end_, {})({end_->to, end_->why});
        return;
    }
    start_up_.tick(at);
    start_next();
    if (handshake_until_) enter_first_mode();
    if (quiet_at_ && at >= *quiet_at_) {
        quiet_at_.reset();
        parts_.buffers.tell_transmission(SetDestination{});
    }
    if (!end_) follow(modes_.tick(at));
    if (at >= next_beat_) beat();
    if (at >= next_call_) call_station(at);
    if (comes_back_ && at >= next_switch_) switch_server(at);
    arm();
}

void ThreadMain::watch_configuration(Instant at) {
    if (at < next_look_) return;
    next_look_ = at + configuration_look;
    const auto text = parts_.store.read();
    unread_ = text ? 0 : unread_ + 1;
    set_fault("configuration_unreadable", !text);
    if (unread_ < configuration_looks) return;
    parts_.log.error(text.error().message);
    fail_with("configuration_lost");
}

void ThreadMain::beat() {
    next_beat_ = std::max(next_beat_ + heartbeat, now());
    handler_->watch_docking();
    watch_configuration(now());
    // Telemetry may hang in the body along with propulsion.
    end_on(parts_.motion.report().faults);
    if (end_) return;
    measure_rates();
    if (!started_ || !all_alive(now())) return;
    parts_.receiver.beat();
    if (on_healthy_) on_healthy_();
}

bool ThreadMain::all_alive(Instant at) {
    const auto seen = alive();
    bool all = true;
    const auto wanted = modes_.com().rules().wanted;
    for (std::size_t i = 0; i < thread_count; ++i) {
        const auto who = static_cast<ThreadName>(i);
        if (who == ThreadName::transmission && !wanted.sending) continue;
        if (who == ThreadName::receiver && !wanted.receiving) continue;
        const bool alive = at - seen.at(i).last < alive_limit;
        set_fault(fmt::format("{} is silent", to_string(who)), !alive);
        all = all && alive;
    }
    return all;
}

void ThreadMain::call_station(Instant at) {
    next_call_ = at + from_seconds(config_.connect_to_me);
    const auto wanted = modes_.com().rules().wanted;
    if (wanted.sending && wanted.receiving && listens_ && !station_is_here_ && receive_port_ != 0)
        parts_.buffers.tell_transmission(CallForStation{receive_port_});
}

void ThreadMain::disable_server(std::optional<Duration> connect_to_me) {
    comes_back_ = connect_to_me;
    listens_ = false;
    station_is_here_ = false;
    parts_.receiver.listen(false);
    if (!connect_to_me) follow(modes_.listen(false, now()));
    follow(modes_.deaf(now()));
    if (connect_to_me) next_switch_ = now() + *connect_to_me;
    arm();
}

void ThreadMain::switch_server(Instant at) {
    listens_ = !listens_ || station_is_here_;
    parts_.receiver.listen(listens_);
    if (listens_) parts_.buffers.tell_transmission(CallForStation{receive_port_});
    next_switch_ = at + (listens_ ? std::min<Duration>(short_time, *comes_back_) : *comes_back_);
}

void ThreadMain::drop_server() {
    if (!parts_.trust) return parts_.log.info("the link is plain: there is no station to be forgotten");
    if (const auto dropped = parts_.trust->drop_server())
        parts_.log.info("the station is forgotten");
    else
        parts_.log.error("the station is not forgotten: " + dropped.error().message);
}

std::string ThreadMain::status() const {
    const motion::MotionReport motion = as_of(parts_.motion.report(), now(), config_.motion.report_limit());
    const auto round = parts_.buffers.telemetry_buffer.copy();
    std::string text = fmt::format(
        "{}{} {}: {}\nmoves {} ({}, {}){}\n", link::to_string(modes_.mode()),
        modes_.wait_reason() ? fmt::format("({})", link::to_string(*modes_.wait_reason())) : "",
        link::to_string(modes_.com_mode()), modes_.why(),
        motion.reason == motion::MotionReason::motion_unknown ? "unknown" : motion::to_string(motion.command),
        motion.winner ? to_string(*motion.winner) : "nobody", to_string(motion.reason),
        motion.stop ? fmt::format(", stopped by {}", to_string(*motion.stop)) : "");
    if (round)
        text += fmt::format("battery {}{}, at {:.2f} {:.2f} m\n", link::level_text(round->summary.battery),
                            round->summary.battery.on_charger ? " on the charger" : "", round->summary.pose.x,
                            round->summary.pose.y);
    const auto& driver = handler_->lease().holder();
    text += fmt::format("driver {}\nfaults {}", driver ? driver->name : "nobody",
                        faults_.empty() ? "none" : fmt::format("{}", fmt::join(faults_, ", ")));
    if (!parts_.not_self_checked.empty())
        text += fmt::format("\nRM2 and RM3 are refused, not self-checked: {}", parts_.not_self_checked);
    if (const std::string* const why = start_up_.complaint_of(ThreadName::ai))
        text += fmt::format("\nbehaviors replaced by one that stands still: {}", *why);
    const LinkBoard link = parts_.buffers.link_board.copy();
    if (link.refused > 0) text += fmt::format("\nrefused {}, the last: {}", link.refused, link.refusal);
    if (link.samples + link.dropped > 0)
        text += fmt::format("\nviews {} sent, {} dropped", link.samples, link.dropped);
    return text;
}

void ThreadMain::arm() {
    Instant due = next_beat_;
    if (end_) return timer_->arm(end_at_);
    due = std::min(due, next_call_);
    if (const auto at = start_up_.due()) due = std::min(due, *at);
    if (handshake_until_ && !started_) due = std::min(due, *handshake_until_);
    if (const auto at = modes_.due(now())) due = std::min(due, *at);
    if (comes_back_) due = std::min(due, next_switch_);
    if (quiet_at_) due = std::min(due, *quiet_at_);
    timer_->arm(due);
}

}  // namespace caribou::robot
