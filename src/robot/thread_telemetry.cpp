#include "robot/thread_telemetry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/geometry.hpp"

namespace caribou::robot {
namespace {

/// Between two signs of life, even if the rounds are slower.
constexpr Duration longest_silence = std::chrono::seconds(1);
/// Between two test cycles.
constexpr Duration test_pause = std::chrono::milliseconds(20);

}  // namespace

ThreadTelemetry::ThreadTelemetry(Strand& strand, motion::Body& body, const motion::MotionControl& motion,
                                 RobotBuffers& buffers, Options options)
    : strand_(strand),
      body_(body),
      motion_(motion),
      buffers_(buffers),
      options_(options),
      period_(from_seconds(1 / options.rate)),
      times_(body.plan().sensors.size()),
      timer_(strand.loop().make_timer([this] { on_due(); })) {}

void ThreadTelemetry::start() {
    test_until_ = strand_.loop().clock().now() + first_readings_limit;
    test();
}

void ThreadTelemetry::test() {
    TelemetryRound cycle;
    collect(cycle);
    std::string silent;
    for (const SensorSample& sample : cycle.samples) {
        const motion::SensorPlan& plan = body_.plan().sensors.at(sample.sensor);
        if (plan.required && std::holds_alternative<motion::NoReading>(sample.reading))
            silent += (silent.empty() ? "" : ", ") + plan.name;
    }
    // On a busy machine a driver may be late with a state.
    if (!silent.empty() && cycle.at < *test_until_) return timer_->arm(cycle.at + test_pause);
    test_until_.reset();
    Result<void> outcome;
    if (!silent.empty())
        outcome = fail(Code::unavailable, fmt::format("required sensors give no reading: {}", silent));
    buffers_.note(ThreadStarted{ThreadName::telemetry, std::move(outcome)});
    next_ = strand_.loop().clock().now();
    // The first round follows after a period.
    buffers_.prove_alive_between_rounds(ThreadName::telemetry, next_);
    arm();
}

void ThreadTelemetry::stop() { timer_->cancel(); }

void ThreadTelemetry::arm() {
    // On an absolute grid; missed rounds are not made up for.
    const Instant now = strand_.loop().clock().now();
    next_ = std::max(next_ + period_, now);
    timer_->arm(std::min(next_, now + longest_silence));
}

void ThreadTelemetry::on_due() {
    if (test_until_) return test();
    const Instant now = strand_.loop().clock().now();
    if (now >= next_) return round();
    buffers_.prove_alive_between_rounds(ThreadName::telemetry, now);
    obey();
    timer_->arm(std::min(next_, now + longest_silence));
}

void ThreadTelemetry::round() {
    buffers_.prove_alive(ThreadName::telemetry, strand_.loop().clock().now());
    if (collects_) {
        if (buffers_.telemetry_buffer.try_write(collected()))
            announce();
        else
            ++dropped_;
    }
    obey();
    arm();
}

void ThreadTelemetry::show() {
    if (next_ == Instant{}) return;
    obey();
    buffers_.telemetry_buffer.write(collected());
    announce();
}

std::shared_ptr<TelemetryRound> ThreadTelemetry::collected() {
    auto round = std::make_shared<TelemetryRound>();
    collect(*round);
    summarise(*round);
    return round;
}

void ThreadTelemetry::announce() {
    for (StrandEvent* const hearer : buffers_.telemetry_buffer_event) hearer->trigger();
}

void ThreadTelemetry::obey() {
    // Handled before it is cleared, so that an empty buffer means handled.
    buffers_.telemetry_cmd.change([this](std::optional<TelemetryCommand>& command) {
        if (!command) return;
        if (command->collects) collects_ = *command->collects;
        if (command->rate) {
            period_ = from_seconds(1 / *command->rate);
            next_ = std::min(next_, strand_.loop().clock().now() + period_);
        }
        command.reset();
    });
}

void ThreadTelemetry::collect(TelemetryRound& into) {
    const auto& clock = strand_.loop().clock();
    into.number = ++rounds_;
    into.at = clock.now();
    into.summary.stamp = clock.unix_seconds();
    into.summary.boot_stamp = clock.boot_seconds();
    into.summary.period = static_cast<float>(to_seconds(period_));
    into.motion = as_of(motion_.report(), into.at, options_.motion_limit);
    into.odometry = pose_after(into.motion.odometry, into.at - into.motion.at);
    for (const std::size_t sensor : buffers_.sensor_array.copy()) {
        motion::SensorReading reading = body_.read(sensor);
        ReadingTime& time = times_.at(sensor);
        time.add(reading, into.at, into.odometry);
        into.samples.push_back({sensor, std::move(reading), time.at(), time.from()});
    }
}

namespace {

void add_reading(link::Telemetry& to, const motion::SensorPlan& plan, const motion::SensorReading& reading) {
    if (const auto* distance = std::get_if<double>(&reading)) {
        to.ranges.push_back(
            {static_cast<float>(plan.pose.heading), static_cast<float>(std::min(*distance, plan.reach))});
    } else if (const auto* battery = std::get_if<motion::BatteryReading>(&reading)) {
        to.battery.level = static_cast<float>(battery->level);
        to.battery.volts = static_cast<float>(battery->volts);
        to.battery.amperes = static_cast<float>(battery->amperes);
    } else if (const auto* charger = std::get_if<motion::ChargerReading>(&reading)) {
        to.battery.on_charger = charger->contact;
    }
}

void add_motion(link::Telemetry& to, const motion::MotionReport& motion) {
    to.movement_state = motion.state;
    to.movement_class = motion.movement;
    to.stopped = is_latched(motion);
    if (motion.stop) to.stop_cause = to_string(*motion.stop);
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const motion::WheelSpeeds speeds = motion.measured.value_or(motion::WheelSpeeds{unknown, unknown});
    to.right = {motion.right_level, static_cast<float>(speeds.right)};
    to.left = {motion.left_level, static_cast<float>(speeds.left)};
    to.winner = motion.winner ? std::string(to_string(*motion.winner)) : "";
    to.reason = to_string(motion.reason);
    for (int i = 0; i <= static_cast<int>(motion::last_motion_fault); ++i)
        if (motion.faults.contains(static_cast<motion::MotionFault>(i)))
            to.faults.emplace_back(to_string(static_cast<motion::MotionFault>(i)));
}

}  // namespace

void ThreadTelemetry::summarise(TelemetryRound& round) const {
    link::Telemetry& to = round.summary;
    const ModeBoard modes = buffers_.mode_board.copy();
    to.number = round.number;
    static_cast<data::Modes&>(to) = static_cast<const data::Modes&>(modes);
    to.faults = modes.faults;
    if (buffers_.is_main_silent(round.at)) to.faults.emplace_back(main_is_silent);
    const AiBoard ai = buffers_.ai_board.copy();
    if (!ai.stack.empty()) to.behavior = ai.stack.back();
    to.odom_in_map = ai.odom_in_map;
    to.pose = composed(ai.odom_in_map, round.odometry);
    add_motion(to, round.motion);
    for (const SensorSample& sample : round.samples) {
        const motion::SensorPlan& plan = body_.plan().sensors.at(sample.sensor);
        add_reading(to, plan, sample.reading);
        to.ages.push_back({plan.name, sample.heard_at ? to_seconds(round.at - *sample.heard_at) : 655.35});
    }
    // If not all fit, the oldest readings are kept.
    if (to.ages.size() > link::Telemetry::ages_limit)
        std::ranges::stable_sort(to.ages, std::ranges::greater(), &data::SensorAge::seconds);
}

}  // namespace caribou::robot
