#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "loop/virtual_loop.hpp"
#include "motion/body_rig.hpp"
#include "motion/motion_audit.hpp"
#include "motion/thread_propulsion.hpp"

namespace caribou::motion {

/// Propulsion on virtual time with a body that follows orders; every report is audited.
class MotionRig : public testing::Test, public MotionEvents {
protected:
    explicit MotionRig(const MotionSettings& wanted = {}) : settings(wanted) {}

    void SetUp() override {
        propulsion.start();
        propulsion.permit({true, {MotionSource::operator_, MotionSource::autopilot, MotionSource::ai}});
        loop.run_ready();
    }
    void TearDown() override {
        for (const std::string& finding : audit.findings()) ADD_FAILURE() << finding;
    }

    static MovementCommand command(std::string_view text) { return MovementCommand::parse(text).value(); }
    void order(std::string_view text, MotionSource source = MotionSource::operator_,
               std::optional<Duration> time_to_live = {}) {
        propulsion.order({source, command(text), time_to_live, false, ++last_id});
        loop.run_ready();
    }
    /// Renews the order every 100 ms, like a person who holds a key.
    void hold(std::string_view text, Duration time, MotionSource source = MotionSource::operator_) {
        for (Duration left = time; left > Duration::zero(); left -= std::chrono::milliseconds(100)) {
            order(text, source);
            loop.advance(std::min<Duration>(left, std::chrono::milliseconds(100)));
        }
    }
    /// Same, for a velocity.
    void hold(Velocity velocity, Duration time, MotionSource source = MotionSource::operator_) {
        for (Duration left = time; left > Duration::zero(); left -= std::chrono::milliseconds(100)) {
            propulsion.order({.source = source, .command = velocity, .id = ++last_id});
            loop.advance(std::min<Duration>(left, std::chrono::milliseconds(100)));
        }
    }
    MotionReport report() const { return propulsion.report(); }
    bool has(MotionReason reason) const { return report().reasons.contains(reason); }
    bool at_rest() const { return body.driven == WheelSpeeds{}; }

    void on_answer(const MotionAnswer& answer) override { answers.push_back(answer); }
    void on_report(const MotionReport& report) override { audit.observe(report); }

    MotionSettings settings;
    VirtualLoop loop;
    BodyRig body{loop.clock()};
    MotionAudit audit{settings};
    ThreadPropulsion propulsion{loop, body, settings, *this};
    std::vector<MotionAnswer> answers;
    std::uint64_t last_id = 0;
};

}  // namespace caribou::motion
