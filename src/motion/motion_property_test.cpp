// Random histories of orders, permits, stops and sensors. The model only knows the calls and their times; the
// audit only knows the driven motion.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "base/random.hpp"
#include "loop/virtual_loop.hpp"
#include "motion/body_rig.hpp"
#include "motion/motion_audit.hpp"
#include "motion/thread_propulsion.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

/// Runs a random history from a seed, and records violations.
class MotionLife final : public MotionEvents {
public:
    explicit MotionLife(std::uint64_t seed)
        : random_(seed),
          settings_{.full_stop_deceleration = seed % 3 == 0 ? 4.0 : 0.0,
                    .strict_transitions = seed % 5 == 0} {
        propulsion_.start();
    }

    std::vector<std::string> run(int events) {
        for (int i = 0; i < events; ++i) {
            act();
            loop_.advance(std::chrono::milliseconds(random_.between(0, 150)));
        }
        if (answered_.size() != orders_) found_.push_back("an order without an answer");
        for (const auto& [id, times] : answered_)
            if (times != 1) found_.push_back(fmt::format("order {} was answered {} times", id, times));
        found_.insert(found_.end(), audit_.findings().begin(), audit_.findings().end());
        return found_;
    }

    MotionReasons seen;  ///< all reasons that occurred

private:
    void act() {
        switch (random_.below(11)) {
            case 0: permit(); break;
            case 1: stop(); break;
            case 2: release(); break;
            case 3: lose_link(); break;
            case 4:
            case 5: sense(); break;
            case 6: place_zones(); break;
            default: order(); break;
        }
    }

    void permit() {
        MotionPermit permit{.motors = random_.chance(0.9)};
        for (const auto source : {MotionSource::operator_, MotionSource::autopilot, MotionSource::ai})
            if (random_.chance(0.8)) permit.sources.insert(source);
        for (auto& [source, until] : live_until_)
            if (!permit.motors || !permit.sources.contains(source)) until = {};
        permit_ = permit;
        propulsion_.permit(permit);
    }
    void stop() {
        live_until_.clear();
        stopped_ = true;
        propulsion_.full_stop(StopCause::operator_);
        if (settings_.full_stop_deceleration == 0.0 && body_.driven != WheelSpeeds{})
            found_.push_back("a full stop has not ordered zero at once");
        stopped_at_ = loop_.clock().now();
    }
    void release() {
        stopped_ = false;
        propulsion_.release_stop();
    }
    void lose_link() {
        live_until_.erase(MotionSource::operator_);
        live_until_.erase(MotionSource::autopilot);
        propulsion_.link_lost();
    }
    void sense() {
        static const std::array<std::string, 5> flags = {"bumper_front", "bumper_rear", "cliff_front",
                                                         "cliff_rear", "emergency"};
        const std::string& flag = flags.at(random_.below(flags.size()));
        body_.say(flag, random_.chance(flag == "emergency" ? 0.1 : 0.3));
        body_.say("front", random_.chance(0.5) ? BodyRig::far : random_.unit());
        body_.say("rear", random_.chance(0.5) ? SensorReading(NoReading{}) : SensorReading(random_.unit()));
        body_.wheels_blocked = random_.chance(0.1);
        if (random_.chance(0.002)) body_.complaint = "over-current";
        body_.away = random_.chance(0.05) ? "its driver restarts" : "";
        if (!body_.away.empty()) body_.cut_motors().value();
    }
    /// Draws zones near the robot or over it, or corrects the place of its odometry.
    void place_zones() {
        if (random_.chance(0.7)) return;
        const auto within = [&](double most) { return most * (2.0 * random_.unit() - 1.0); };
        if (random_.chance(0.3)) {
            zones_.odom_in_map = {within(0.1), within(0.1), within(0.05)};
        } else {
            std::vector<Zone> zones;
            for (std::uint64_t i = random_.below(4); i > 0; --i) {
                const Vec2 low = position(composed(zones_.odom_in_map, propulsion_.report().odometry.pose)) +
                                 Vec2{within(1.0), within(1.0)};
                const Vec2 size{0.1 + random_.unit(), 0.1 + random_.unit()};
                zones.push_back({.name = "z",
                                 .kind = random_.chance(0.6) ? ZoneKind::keep_out : ZoneKind::speed,
                                 .speed = 0.05 + 0.3 * random_.unit(),
                                 .corners = {low, low + Vec2{size.x, 0}, low + size, low + Vec2{0, size.y}}});
            }
            zones_.zones = std::make_shared<const std::vector<Zone>>(std::move(zones));
        }
        propulsion_.set_zones(zones_);
        audit_.set_zones(zones_, body_.plan().radius);
    }
    std::optional<MotionCommand> movement() {
        const auto movement = MovementCommand::of(static_cast<int>(random_.between(-3, 3)),
                                                  static_cast<int>(random_.between(-3, 3)));
        return movement ? std::optional<MotionCommand>(*movement) : std::nullopt;
    }
    std::optional<MotionCommand> velocity() {
        const auto number = [&](double most) {
            if (random_.chance(0.01)) return std::numeric_limits<double>::quiet_NaN();
            return random_.chance(0.2) ? 0.0 : most * (2.0 * random_.unit() - 1.0);
        };
        const double forward = number(0.6);
        return Velocity{forward, number(4.0)};
    }
    void order() {
        static constexpr std::array sources = {MotionSource::operator_, MotionSource::autopilot,
                                               MotionSource::ai, MotionSource::reflex};
        const auto command = random_.chance(0.5) ? velocity() : movement();
        if (!command) return;
        const Duration time_to_live = std::chrono::milliseconds(random_.between(-10, 2200));
        const MotionSource source = sources.at(random_.below(sources.size()));
        live_until_[source] = std::max(live_until_[source], loop_.clock().now() + time_to_live);
        propulsion_.order({source, *command, time_to_live, random_.chance(0.1), ++orders_});
    }

    void on_answer(const MotionAnswer& answer) override { ++answered_[answer.id]; }
    void on_report(const MotionReport& report) override {
        audit_.observe(report);
        seen.insert(report.reason);
        // The calls alone determine whether motion is permitted: not if no order is alive, or if all are
        // stopped.
        bool lives = false;
        for (const auto& [source, until] : live_until_) lives = lives || until > report.at;
        const bool may_move = lives && permit_.motors && !stopped_;
        if (may_move) last_permitted_ = report.at;
        const Duration bound =
            from_seconds(settings_.level_3 / settings_.deceleration) + 2 * settings_.period;
        if (report.at - last_permitted_ > bound && body_.driven != WheelSpeeds{})
            found_.push_back(
                fmt::format("moves for nobody at {} s", to_seconds(report.at.time_since_epoch())));
        if (stopped_ && report.at - stopped_at_ > from_seconds(settings_.level_3 / 4.0) &&
            body_.driven != WheelSpeeds{})
            found_.push_back("moves in spite of a full stop");
        if (stopped_ && !report.stop) found_.push_back("a stop was lost");
    }

    Random random_;
    MotionSettings settings_;
    VirtualLoop loop_;
    BodyRig body_{loop_.clock()};
    MotionAudit audit_{settings_};
    ThreadPropulsion propulsion_{loop_, body_, settings_, *this};

    PlacedZones zones_{};
    MotionPermit permit_{};
    bool stopped_ = false;
    Instant stopped_at_{};
    std::map<MotionSource, Instant> live_until_;
    Instant last_permitted_{};
    std::uint64_t orders_ = 0;
    std::map<std::uint64_t, int> answered_;
    std::vector<std::string> found_;
};

constexpr std::array every_reason = {
    MotionReason::fault,         MotionReason::emergency_input,
    MotionReason::stop_latched,  MotionReason::motors_off,
    MotionReason::bump,          MotionReason::cliff,
    MotionReason::held,          MotionReason::obstacle_stop,
    MotionReason::zone_stop,     MotionReason::zone_slow,
    MotionReason::obstacle_slow, MotionReason::blind,
    MotionReason::through_halt,  MotionReason::dead_man,
    MotionReason::no_order,      MotionReason::order,
};

TEST(MotionProperty, HoldsWhateverIsSaidAndSensed) {
    MotionReasons seen;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        MotionLife life(seed);
        const auto found = life.run(200);
        ASSERT_TRUE(found.empty()) << "seed " << seed << ": " << found.front();
        for (const MotionReason reason : every_reason)
            if (life.seen.contains(reason)) seen.insert(reason);
    }
    for (const MotionReason reason : every_reason)
        EXPECT_TRUE(seen.contains(reason)) << "no life has met " << to_string(reason);
}

MotionReport moving(double right, double left, Duration at) {
    MotionReport report;
    report.at = Instant(at);
    report.driven = {right, left};
    report.movement = classify(right, left).value_or(MovementClass::halt);
    report.winner = MotionSource::ai;
    report.permit = {true, {MotionSource::ai}};
    return report;
}

TEST(MotionAudit, FindsEdgesThatAreNotLegal) {
    MotionAudit audit{MotionSettings{}};
    audit.observe(moving(0.1, 0.1, 1s));
    EXPECT_EQ(audit.findings().size(), 1U) << "out of nothing";
    audit.observe(moving(0.1, -0.1, 2s));
    EXPECT_EQ(audit.findings().back(), "at 2.000 s: SWIV_LEFT follows MOVE_FW");
    audit.observe(moving(0.1, -0.05, 3s));
    EXPECT_EQ(audit.findings().back(), "at 3.000 s: what is driven has no class");
}

TEST(MotionAudit, FindsMotionDuringAFullStop) {
    MotionAudit audit{MotionSettings{}};
    MotionReport report = moving(0.01, 0.01, 1s);
    audit.observe(report);
    report.stop = StopCause::shutdown;
    report.at += 1ms;
    const std::size_t before = audit.findings().size();
    audit.observe(report);
    EXPECT_EQ(audit.findings().size(), before) << "a program that ends brakes";
    report.stop = StopCause::operator_;
    report.at += 1ms;
    audit.observe(report);
    ASSERT_GT(audit.findings().size(), before);
    EXPECT_EQ(audit.findings().back(), "at 1.002 s: the robot moves in spite of a full stop");
}

TEST(MotionAudit, FindsWheelsThatBrakeTooHard) {
    MotionAudit audit{MotionSettings{}};
    audit.observe(moving(0.0, 0.0, 0s));
    audit.observe(moving(0.4, 0.4, 1s));
    audit.observe(moving(0.4 - 2.5 * 0.02, 0.35, 1020ms));
    EXPECT_TRUE(audit.findings().empty());
    audit.observe(moving(0.0, 0.0, 1040ms));
    ASSERT_EQ(audit.findings().size(), 1U);
    EXPECT_EQ(audit.findings().back(), "at 1.040 s: a wheel brakes too hard");
}

TEST(MotionAudit, FindsMotionForNobody) {
    MotionAudit audit{MotionSettings{}};
    MotionReport report = moving(0.0, 0.0, 1s);
    audit.observe(report);
    report = moving(0.01, 0.01, 2s);
    report.stop = StopCause::shutdown;
    audit.observe(report);
    EXPECT_EQ(audit.findings().back(), "at 2.000 s: speed is gained by nobody");
    report.at += 1s;
    audit.observe(report);
    EXPECT_EQ(audit.findings().back(), "at 3.000 s: the robot still moves, for nobody");
}

}  // namespace
}  // namespace caribou::motion
