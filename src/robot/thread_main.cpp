#include "robot/thread_main.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "motion/fault_explanation.hpp"
#include "robot/fault_names.hpp"
#include "robot/power_table.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::RunMode;
using link::WaitReason;

constexpr Duration step_limit = 5s;
constexpr Duration first_readings_pause = 50ms;
constexpr Duration heartbeat = 1s;
/// Time for answers to be sent before everything ends.
constexpr Duration answer_time = 100ms;
constexpr Duration farewell = 300ms;  ///< for the telemetry that shows the end of sending
/// Interval of the configuration checks, and how many consecutive failures count as a loss: an editor may
/// remove the file briefly.
constexpr Duration configuration_look = 10s;
constexpr int configuration_looks = 3;

/// One line of the log for each line of the errors, as those of a file are.
void log_lines(Log& log, std::string_view who, std::string_view errors) {
    for (const auto& line : std::views::split(errors, '\n'))
        if (const std::string_view text(line); !text.empty()) log.error(fmt::format("{}: {}", who, text));
}

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
      sensor_watch_(parts.body.plan()),
      start_up_(steps_of(config), step_limit),
      had_station_(parts.reboots.had_station()),
      duties_(parts.strand, parts.buffers, parts.motion, parts.latch, parts.log,
              modes_.com().rules().wanted.receiving),
      main_cmd_(parts.strand, RobotBuffers::most_commands + RobotBuffers::most_notes, WhenFull::refuse,
                [this] { on_items(); }),
      session_end_event_(parts.strand,
                         [this] {
                             std::ignore = session_end_event_.take();
                             handler_->release_gone();
                         }),
      telemetry_buffer_event_(parts.strand, [this] { on_telemetry(); }),
      timer_(parts.strand.loop().make_timer([this] { on_time(); })),
      life_(parts.strand.loop().make_timer([this] { prove(); })),
      health_(parts.strand),
      life_signs_(parts.buffers, parts.motion, parts.latch),
      calls_(from_seconds(config.connect_to_me),
             modes_.com().rules().wanted.sending && modes_.com().rules().wanted.receiving) {
    handler_ = std::make_unique<CommandHandler>(
        parts.strand, modes_, parts.motion, parts.buffers, sensors_, parts.ai, parts.store, parts.log,
        CommandHandler::Hands{
            .apply = [this](const ModeChange& change) { apply(change); },
            .disable_server = [this](std::optional<Duration> back) { disable_server(back); },
            .collect_telemetry = [this](bool on) { collect_telemetry(on); },
            .set_udp_port =
                [this](std::uint16_t port) {
                    calls_.set_port(port);
                    parts_.buffers.tell_transmission(SetDestination{calls_.station()});
                },
            .drop_server = [this] { drop_server(); },
            .release_stop = [this](
                                const Request& request,
                                StopDesk::Answered answered) { release_stop(request, std::move(answered)); },
            .may_reboot = [this] { return parts_.reboots.reboot(now(), calls_.is_here()); },
            .status = [this] { return status(); },
            .state_line = [this] { return state_line(); },
            .show_sleep = [this] { show_sleep(); },
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

void ThreadMain::on_items() {
    while (auto item = main_cmd_.pop()) std::visit([this](const auto& each) { take(each); }, *item);
    arm();
}

void ThreadMain::take(const ThreadStarted& note) {
    if (note.who == ThreadName::receiver) calls_.on_listening(note.port);
    if (note.who == ThreadName::transmission && note.outcome)
        follow(modes_.sending(modes_.com().rules().wanted == link::Directions{.sending = true}, now()));
    if (!note.outcome) log_lines(parts_.log, to_string(note.who), note.outcome.error().message);
    if (note.runs_anyway) {
        set_fault(faults::behavior_tree, true);
        parts_.buffers.report_error("the behavior tree is replaced by one that stands still: " +
                                    note.outcome.error().message);
    }
    start_up_.on_started(note.who, note.outcome, now(), note.runs_anyway);
    start_next();
}

void ThreadMain::take(const StationArrived& note) {
    if (!parts_.buffers.is_open(note.seal.station.session)) return;  // its StationLost follows
    calls_.on_arrived(note.send_to, now());
    set_fault(faults::network, false);
    follow(modes_.heard(note.at, now()));
    if (modes_.com().wants_sending()) {
        parts_.buffers.tell_transmission(note.seal);
        parts_.buffers.tell_transmission(SetDestination{calls_.station()});
        follow(modes_.sending(true, now()));
        show_sleep();
    }
    if (start_up_.done()) enter_first_mode();
}

void ThreadMain::take(const StationHeard& note) {
    if (calls_.is_here() && parts_.buffers.is_open(note.session)) follow(modes_.heard(note.at, now()));
}

void ThreadMain::take(const StationLost& note) {
    calls_.on_lost(now());
    parts_.buffers.tell_transmission(SealFor{});
    parts_.log.info("the link is lost: " + note.why);
}

void ThreadMain::take(const motion::MotionAnswer& note) { handler_->on_motion_answer(note); }

void ThreadMain::take(const StopChanged& note) {
    if (!note.stop) set_fault(faults::state_lost, false);
}

void ThreadMain::take(const LatchStored& note) {
    if (!note.not_stored.empty()) parts_.log.error("latch not stored: " + note.not_stored);
    set_fault(faults::latch_not_stored, !note.not_stored.empty());
}

void ThreadMain::take(const TreeReplaced&) { set_fault(faults::behavior_tree, false); }

void ThreadMain::on_guard_cut(const std::string& reason) {
    if (!reason.empty()) parts_.log.error("the guard has cut the body: " + reason);
    guard_trouble_ = reason;
    set_fault(faults::guard_cut, !reason.empty());
}

void ThreadMain::on_guard_not_restored(const std::string& reason) {
    guard_trouble_ = "the guard cannot restore it: " + reason;
    set_fault(faults::guard_cut, true);
}

void ThreadMain::on_guard_gave_up(const std::string& reason) {
    guard_trouble_ = fmt::format("it has given up, because {}; start the robot again", reason);
    parts_.log.error("the guard: " + guard_trouble_);
    set_fault(faults::guard_gave_up, true);
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
    if (change.to != RunMode::rm2) parts_.ai.call_back();
    parts_.body.set_lights(lights_in(change.to));
    publish_health();
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
    if (calls_.station() && sends) parts_.buffers.tell_transmission(SetDestination{calls_.station()});
    if (!sends) fall_silent();
}

void ThreadMain::show_sleep() {
    const auto reason = modes_.wait_reason();
    if (reason && !is_powered(*reason, Subsystem::transmission)) fall_silent();
}

void ThreadMain::fall_silent() {
    // A sleeper that goes to RM0 has no destination any more.
    if (calls_.station()) parts_.buffers.tell_transmission(SetDestination{calls_.station()});
    parts_.telemetry_strand.post_here([this] { parts_.telemetry.show(); });
    if (calls_.station()) quiet_at_ = now() + farewell;
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

void ThreadMain::release_stop(const Request& request, StopDesk::Answered answered) {
    const auto refuse = [&](const std::string& what) {
        answered(link::Answer::refused(
            request.command.id,
            {link::Refusal::failed,
             fmt::format("it is still stopped: {}; release it when that is over, or start the robot again",
                         what)}));
    };
    // Main may carry this out before its next regular sign of life, right after it was silent.
    parts_.motion.supervisor_alive();
    for (const ThreadName who : {ThreadName::stops, ThreadName::receiver})
        if (is_silent(who)) return refuse(fmt::format("the thread {} hangs", to_string(who)));
    if (now() - parts_.motion.report().at > config_.motion.report_limit()) return refuse("propulsion hangs");
    parts_.stops.release(request, std::move(answered));
}

void ThreadMain::shut_down(const std::string& why) { follow(modes_.on_failure(why)); }

void ThreadMain::power_off() { follow(modes_.on_signal(link::WakeSignal::power_off)); }

void ThreadMain::fail_with(const std::string& why) {
    parts_.log.error(why);
    follow(modes_.on_failure(why));
}

void ThreadMain::set_fault(std::string_view name, bool present) {
    const std::string fault(name);
    const bool changed = present ? faults_.insert(fault).second : faults_.erase(fault) > 0;
    if (changed && present) parts_.buffers.report_error(fault);
    if (changed) publish_modes();
    if (changed) publish_health();
}

void ThreadMain::publish_modes() {
    parts_.buffers.mode_board.write({modes_.modes(), faults::by_importance(faults_, parts_.body.plan())});
}

void ThreadMain::on_telemetry() {
    std::ignore = telemetry_buffer_event_.take();
    const auto round = parts_.buffers.telemetry_buffer.copy();
    if (!round || end_) return;
    watch_charger(*round);
    watch_sensors(*round);
    watch_rate(*round);
    handler_->watch_errands();
    end_on(round->motion.faults);
    if (on_round_ && !end_) on_round_(*round);
}

void ThreadMain::watch_rate(const TelemetryRound& round) {
    const bool is_too_slow =
        modes_.mode() == RunMode::rm2 && config_.is_too_slow_for_rm2(from_seconds(round.summary.period));
    if (is_too_slow && !faults_.contains(std::string(faults::telemetry_too_slow)))
        parts_.log.error(
            fmt::format("{}: behaviors halt while telemetry is older than ai.telemetry_limit, {} s; "
                        "raise one of them",
                        faults::telemetry_too_slow, config_.ai_telemetry_limit));
    set_fault(faults::telemetry_too_slow, is_too_slow);
}

void ThreadMain::end_on(const motion::MotionFaults& faults) {
    if (end_) return;
    std::vector<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(motion::last_motion_fault); ++i)
        if (const auto fault = static_cast<motion::MotionFault>(i); faults.contains(fault)) {
            names.push_back(to_string(fault));
            parts_.log.error(fmt::format("{}: {}", to_string(fault), motion::explanation(fault)));
        }
    if (!names.empty()) fail_with(fmt::format("{}", fmt::join(names, ", ")));
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

void ThreadMain::prove() {
    const Instant at = now();
    if (parts_.buffers.is_main_silent(at))
        parts_.log.error("main was silent for more than one second, and runs again");
    parts_.buffers.prove_alive_between_rounds(ThreadName::main, at);
    parts_.motion.supervisor_alive();
    duties_.look(end_.has_value());
    // A fraction of main_limit.
    life_->arm(at + DutyWatch::look_period);
}

void ThreadMain::on_time() {
    const Instant at = now();
    parts_.buffers.prove_alive(ThreadName::main, at);
    if (end_) {
        if (at < end_at_) return arm();
        if (!on_end_) return;
        parts_.stops.finish();
        return std::exchange(on_end_, {})({end_->to, end_->why});
    }
    if (hardware_until_) check_hardware();
    start_up_.tick(at);
    start_next();
    if (handshake_until_) enter_first_mode();
    if (quiet_at_ && at >= *quiet_at_) {
        quiet_at_.reset();
        parts_.buffers.tell_transmission(SetDestination{});
    }
    if (!end_) follow(modes_.tick(at));
    if (at >= next_beat_) beat();
    if (calls_.takes_call(at)) call_station();
    if (const auto listens = calls_.takes_switch(at)) {
        parts_.receiver.listen(*listens);
        if (*listens) call_station();
    }
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
    handler_->watch_errands();
    watch_configuration(now());
    // Telemetry may hang in the body along with propulsion.
    end_on(parts_.motion.report().faults);
    if (end_) return;
    life_signs_.measure(now());
    publish_health();
    if (!started_ || !all_alive(now())) return;
    parts_.receiver.beat();
    if (on_healthy_) on_healthy_();
}

bool ThreadMain::all_alive(Instant at) {
    const auto seen = life_signs_.latest();
    bool all = true;
    const auto wanted = modes_.com().rules().wanted;
    for (std::size_t i = 0; i < thread_count; ++i) {
        const auto who = static_cast<ThreadName>(i);
        if (who == ThreadName::transmission && !wanted.sending) continue;
        if (who == ThreadName::receiver && !wanted.receiving) continue;
        if (!LifeSigns::exists(who, seen.at(i))) continue;
        const bool alive = at - seen.at(i).last < LifeSigns::alive_limit;
        set_fault(fmt::format("{} is silent", to_string(who)), !alive);
        // The station can do without the bus, and a second thread stores the latch.
        all = all && (alive || who == ThreadName::bus || who == ThreadName::latch);
    }
    return all;
}

void ThreadMain::call_station() { parts_.buffers.tell_transmission(CallForStation{calls_.port()}); }

void ThreadMain::disable_server(std::optional<Duration> back) {
    calls_.disable(back, now());
    parts_.receiver.listen(false);
    if (!back) follow(modes_.listen(false, now()));
    follow(modes_.deaf(now()));
    arm();
}

void ThreadMain::drop_server() {
    if (!parts_.trust) return parts_.log.info("the link is plain: there is no station to be forgotten");
    if (const auto dropped = parts_.trust->drop_server())
        parts_.log.info("the station is forgotten");
    else
        parts_.log.error("the station is not forgotten: " + dropped.error().message);
}

void ThreadMain::arm() {
    Instant due = next_beat_;
    if (end_) return timer_->arm(end_at_);
    due = std::min(due, calls_.due());
    if (const auto at = start_up_.due()) due = std::min(due, *at);
    if (handshake_until_ && !started_) due = std::min(due, std::max(first_mode_at(), now()));
    if (const auto at = modes_.due(now())) due = std::min(due, *at);
    if (quiet_at_) due = std::min(due, *quiet_at_);
    if (hardware_until_) due = std::min(due, now() + first_readings_pause);
    timer_->arm(due);
}

}  // namespace caribou::robot
