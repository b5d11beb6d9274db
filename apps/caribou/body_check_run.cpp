#include "caribou/body_check_run.hpp"

#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "adapters/body/driver_line.hpp"
#include "adapters/body/guarded_body.hpp"
#include "driver/kill_check.hpp"
#include "kit/robot/robot_body.hpp"
#include "platform/event_loop.hpp"

namespace caribou::app {
namespace {

constexpr Duration look_pause = std::chrono::milliseconds(1);
/// For a driver to carry out an order, before it is killed.
constexpr Duration halt_time = std::chrono::milliseconds(200);

class CheckRun {
public:
    using OnFinding = std::function<void(const driver::BodyCheck::Finding&)>;

    CheckRun(GuardedBody& body, bool has_device, OnFinding on_finding)
        : body_(body), has_device_(has_device), on_finding_(std::move(on_finding)) {
        loop_.stop_on_signals({SIGINT, SIGTERM, SIGHUP});
    }

    /// Leaves the body stopped.
    Result<std::vector<driver::BodyCheck::Finding>> run() {
        auto checked = check_driver();
        if (checked && killable_) checked = check_kill();
        // However the checks have ended: the device may keep its last order.
        const bool is_cut = cut();
        if (checked && !is_cut) checked = not_stopped();
        if (!checked) return fail(std::move(checked.error()));
        return std::move(findings_);
    }

    /// Leaves the body stopped.
    Result<MeasuredWheels> calibrate() {
        auto measured = measure_wheels();
        const bool is_cut = cut();
        if (measured && !is_cut) return fail(Code::io, "it is not confirmed that the body is stopped");
        return measured;
    }

private:
    Result<MeasuredWheels> measure_wheels() {
        if (auto started = start_driver(); !started) return fail(std::move(started.error()));
        driver::WheelCalibration calibration(*line_, now());
        const bool is_over = run_until([&] {
            const bool over = calibration.step(now());
            if (calibration.hello()) facts_ = facts_of(*calibration.hello());
            return over;
        });
        if (!is_over) calibration.halt(now());
        // The driver carries out the order to rest before it is killed.
        loop_.run_until([] { return false; }, halt_time);
        if (!is_over) return fail(Code::closed, "interrupted; the wheels were ordered to rest");
        if (!calibration.fault().empty()) return fail(Code::unavailable, calibration.fault());
        return MeasuredWheels{calibration.right(), calibration.left()};
    }
    Result<void> start_driver() {
        auto socket = body_.restore();
        if (!socket) return fail(std::move(socket.error()));
        line_ = driver_line(std::move(*socket));
        return {};
    }
    bool cut() { return body_.cut(facts_); }
    Instant now() const { return loop_.clock().now(); }

    /// Calls `step` until it returns true. Returns false if a signal has interrupted that.
    bool run_until(const std::function<bool()>& step) {
        bool is_over = false;
        std::unique_ptr<Timer> timer;
        timer = loop_.make_timer([&] {
            is_over = step();
            if (is_over) return loop_.stop();
            timer->arm(now() + look_pause);
        });
        timer->arm(now());
        if (loop_.stopped_by() == 0) loop_.run();
        return is_over;
    }
    static Result<void> not_stopped() {
        return fail(Code::io, "it is not confirmed that the body is stopped");
    }
    Result<void> interrupted() {
        loop_.run_until([] { return false; }, halt_time);
        return fail(Code::closed, "interrupted; the wheels were ordered to rest");
    }
    void add(const driver::BodyCheck::Finding& finding) {
        findings_.push_back(finding);
        on_finding_(finding);
    }

    Result<void> check_driver() {
        if (auto started = start_driver(); !started) return started;
        driver::BodyCheck check(*line_, has_device_, now());
        const bool is_over = run_until([&] {
            const bool over = check.step(now());
            if (check.hello()) facts_ = facts_of(*check.hello());
            for (std::size_t i = findings_.size(); i < check.findings().size(); ++i) add(check.findings()[i]);
            return over;
        });
        if (!is_over) {
            check.halt(now());
            return interrupted();
        }
        const bool is_complete = std::ranges::find(findings_, driver::BodyCheck::stop_by_closing,
                                                   &driver::BodyCheck::Finding::what) != findings_.end();
        if (is_complete && driver::KillCheck::applies_to(*check.hello(), has_device_))
            killable_ = *check.hello();
        return {};
    }

    Result<void> check_kill() {
        driver::KillCheck check(*killable_);
        if (!cut()) return not_stopped();
        while (!check.finding()) {
            if (auto started = start_driver(); !started) return started;
            check.connect(*line_, now());
            if (!run_until([&] { return check.step(now()); })) {
                check.halt(now());
                return interrupted();
            }
            if (check.wants_cut()) check.on_cut(cut(), now());
        }
        add(*check.finding());
        return {};
    }

    GuardedBody& body_;
    bool has_device_;
    OnFinding on_finding_;
    EventLoop loop_;
    std::unique_ptr<driver::DriverLine> line_;
    motion::DriverFacts facts_{};
    std::optional<driver::Hello> killable_;  ///< the hello of a driver that can be killed
    std::vector<driver::BodyCheck::Finding> findings_;
};

}  // namespace

Result<MeasuredWheels> calibrate_body(const robot::RobotConfig& config, Log& log) {
    auto body = GuardedBody::open({.driver = config.body_command, .device = config.body_device}, log);
    if (!body) return fail(std::move(body.error()));
    (*body)->own_strays(-1, {});
    return CheckRun(**body, !config.body_device.empty(), {}).calibrate();
}

Result<std::vector<driver::BodyCheck::Finding>> check_body(const robot::RobotConfig& config, Log& log,
                                                           const CheckRun::OnFinding& on_finding) {
    auto body = GuardedBody::open({.driver = config.body_command, .device = config.body_device}, log);
    if (!body) return fail(std::move(body.error()));
    // What the driver has started ends with it, also in sessions of its own.
    (*body)->own_strays(-1, {});
    return CheckRun(**body, !config.body_device.empty(), on_finding).run();
}

}  // namespace caribou::app
