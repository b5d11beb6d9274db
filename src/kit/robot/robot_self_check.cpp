#include "kit/robot/robot_self_check.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "adapters/body/driver_line.hpp"
#include "adapters/body/propulsion_thread.hpp"
#include "adapters/robot_files/self_check_file.hpp"
#include "kit/robot/robot_body.hpp"
#include "kit/robot/robot_state.hpp"
#include "motion/guard.hpp"
#include "motion/self_check.hpp"
#include "platform/event_loop.hpp"
#include "platform/system_clock.hpp"
#include "platform/text_file.hpp"
#include "platform/thread_strand.hpp"

namespace caribou::app {
namespace {

constexpr Duration step_pause = std::chrono::milliseconds(5);
constexpr Duration rest_patience = std::chrono::seconds(2);
constexpr std::size_t most_of_latch = 4096;

Exit self_check_error(const std::string& why) {
    fmt::print(stderr, "caribou robot --self-check: error: {}\n", why);
    return Exit::failed;
}

/// Feeds the guard, or withholds the feeds while it still takes what the guard sends.
class FeedSwitch final : public motion::MotionGuard {
public:
    explicit FeedSwitch(GuardLink& link) : link_(link) {}

    void set(bool on) { on_ = on; }
    motion::GuardState exchange(const motion::GuardFeed& feed) override {
        if (on_) return link_.exchange(feed);
        link_.wait(Duration::zero());
        return motion::GuardState::watches;
    }
    void bye(bool at_rest) override { link_.bye(at_rest); }

private:
    GuardLink& link_;
    // tidy: allow lock: set on the thread of the check, read by propulsion
    std::atomic<bool> on_ = true;
};

/// The parts of a robot that stop its body, as `caribou robot` connects them.
class SelfCheckRun final : public motion::MotionEvents {
public:
    SelfCheckRun(const robot::RobotConfig& config, const KeyFolder& keys, GuardLink* guard, Log& log)
        : config_(config), guard_(guard), log_(log), latch_file_(open_latch(config, keys, log)) {}

    /// Starts everything up to the first step of propulsion. `digest` is that of the body.
    Result<void> start(const std::string& digest) {
        if (guard_) meet_guard(digest);
        RobotBody::WaitForGuard wait;
        if (guard_)
            wait = [this](Duration limit) {
                guard_->wait(limit);
                return guard_->not_restored();
            };
        auto body = RobotBody::make(config_, log_, inlet_, wait);
        if (!body) return fail(std::move(body.error()));
        body_ = std::move(*body);
        if (const driver::Hello* const hello = body_->hello(); hello && guard_) {
            if (hello->stops_without_feed_ms < 0 && hello->stop_frame.empty())
                return fail(
                    Code::refused,
                    "the driver declares neither a stop_frame nor stops_without_feed_ms, so that nothing "
                    "stops its device when the driver is killed; let it declare one "
                    "(docs/formats/driver.md)");
            if (!hello->stop_frame.empty() && config_.body_device.empty())
                return fail(Code::refused,
                            "the driver declares a stop_frame, but body.device is not set, so that the guard "
                            "cannot write it; name the device in the configuration");
            guard_->declare(facts_of(*hello));
        }
        latch_.emplace(strand_, *latch_file_, [](const std::string&) {});
        motion::SelfCheckSettings settings{.motion = config_.motion,
                                           .stop_before = latch_file_->stop_at_start()};
        if (guard_) {
            feed_.emplace(*guard_);
            settings.guard_limit = motion::GuardLimits{}.feed + config_.motion.period;
            if (const driver::Hello* const hello = body_->hello(); hello && hello->stops_without_feed_ms > 0)
                *settings.guard_limit += std::chrono::milliseconds(hello->stops_without_feed_ms);
        }
        propulsion_ = std::make_unique<PropulsionThread>(body_->body(), config_.motion, *this, log_,
                                                         feed_ ? &*feed_ : nullptr);
        check_.emplace(parts(), settings, loop_.clock().now());
        return propulsion_->start();
    }

    /// Returns whether the check has ended; otherwise a signal has ended it.
    bool run() {
        loop_.stop_on_signals({SIGINT, SIGTERM, SIGHUP});
        const auto timer = loop_.make_timer([this] { step(); });
        timer_ = timer.get();
        timer_->arm(loop_.clock().now());
        loop_.run();
        bring_to_rest();
        propulsion_->stop();
        return has_ended_;
    }
    const motion::SelfCheck& check() const { return *check_; }

    /// Restores the stored latch as it was before, unless the emergency input has stopped the robot
    /// meanwhile. Must be called after run().
    Result<void> restore_latch() {
        const motion::LatchRecord before{latch_file_->stop_at_start()};
        if (!before.stop && !check_->may_release()) return {};
        latch_.reset();
        latch_file_->store(before, [this](const Result<void>& outcome) {
            strand_.post_here([this, outcome] { restored_ = outcome; });
        });
        loop_.run_until([this] { return restored_.has_value(); }, std::chrono::seconds(5));
        return restored_.value_or(fail(Code::timed_out, "storing it takes longer than 5 s"));
    }

private:
    /// Orders rest and waits for it. A signal may have ended the check while the wheels turned.
    void bring_to_rest() {
        is_ending_ = true;
        if (feed_) feed_->set(true);
        propulsion_->full_stop(motion::StopCause::shutdown);
        if (!loop_.run_until([this] { return rests_; }, rest_patience))
            log_.error("self-check: the wheels are NOT at rest, cut the motors' supply");
    }
    void meet_guard(const std::string& digest) {
        guard_->start(
            {.on_driver = [this](int descriptor) { inlet_.offer(driver_line(Descriptor(descriptor))); },
             .on_cut =
                 [this](const motion::GuardCut& cut) {
                     strand_.post_here([this, cut] {
                         if (check_) check_->on_guard_cut(cut);
                     });
                 },
             .on_restored =
                 [this] {
                     strand_.post_here([this] {
                         if (check_) check_->on_guard_restored();
                     });
                 }},
            digest, config_.body_device);
    }
    motion::SelfCheckParts parts() {
        return {.motion = *propulsion_,
                .latch =
                    [this](bool stopped, motion::StopLatch::Told told) {
                        if (!stopped) return latch_->release(std::move(told));
                        latch_->stop(motion::StopCause::self_check, std::move(told));
                    },
                .stored = [this]() -> Result<motion::LatchRecord> {
                    const auto text = read_text_file(latch_path(config_), most_of_latch);
                    if (!text) return fail(text.error());
                    return motion::latch_record_from(*text);
                },
                .feed =
                    [this](bool on) {
                        if (!on)
                            log_.info("self-check: the guard is not fed from now on, and is expected to cut");
                        if (feed_) feed_->set(on);
                    }};
    }
    void step() {
        has_ended_ = check_->step(loop_.clock().now());
        for (; printed_ < check_->items().size(); ++printed_) print(check_->items()[printed_]);
        if (has_ended_) return loop_.stop();
        timer_->arm(loop_.clock().now() + step_pause);
    }
    static void print(const motion::CheckItem& item) {
        const bool failed = item.outcome == motion::CheckOutcome::failed;
        fmt::print("{:<11} {:<18} {}\n", failed ? "FAILED" : to_string(item.outcome), item.name, item.text);
        std::fflush(stdout);
    }
    void on_answer(const motion::MotionAnswer& answer) override {
        strand_.post_here([this, answer] { check_->on_answer(answer); });
    }
    void on_report(const motion::MotionReport& report) override {
        strand_.post_here([this, report] {
            rests_ = report.stop && report.driven == motion::WheelSpeeds{};
            if (is_ending_) return;
            if (report.stop != last_stop_) latch_->on_motion(report.stop);
            last_stop_ = report.stop;
            check_->on_report(report);
        });
    }

    const robot::RobotConfig& config_;
    GuardLink* guard_;
    Log& log_;
    EventLoop loop_;
    ThreadStrand strand_{loop_};
    std::unique_ptr<LatchFile> latch_file_;  ///< destroyed before the strand that its outcomes are posted to
    std::optional<Result<void>> restored_;
    driver::DriverInlet inlet_;
    std::unique_ptr<RobotBody> body_;
    std::optional<motion::StopLatch> latch_;
    std::optional<motion::StopCause> last_stop_;
    std::optional<FeedSwitch> feed_;
    std::unique_ptr<PropulsionThread> propulsion_;
    std::optional<motion::SelfCheck> check_;
    Timer* timer_ = nullptr;
    std::size_t printed_ = 0;
    bool has_ended_ = false;
    bool is_ending_ = false;
    bool rests_ = false;  ///< stopped, with zero ordered at the body
};

Exit conclude_self_check(const robot::RobotConfig& config, const std::string& digest,
                         const motion::SelfCheck& check) {
    const auto now = static_cast<std::time_t>(SystemClock().unix_seconds());
    robot::SelfCheckRecord record{.passed = check.good(),
                                  .body = digest,
                                  .program = CARIBOU_VERSION,
                                  .at = fmt::format("{:%FT%TZ}", fmt::gmtime(now))};
    std::size_t unverified = 0;
    for (const motion::CheckItem& item : check.items()) {
        record.items.push_back(fmt::format("{} {}: {}", to_string(item.outcome), item.name, item.text));
        unverified += item.outcome == motion::CheckOutcome::unverified ? 1 : 0;
    }
    const std::string path = self_check_path(config);
    if (const auto stored = store_self_check(path, record); !stored)
        return self_check_error("the result is not stored: " + stored.error().message);
    if (!record.passed) return self_check_error(fmt::format("it has failed; the result is in {}", path));
    fmt::print("passed{}; the result is in {}\n",
               unverified > 0 ? fmt::format(", but {} could not be verified", unverified) : "", path);
    return Exit::ok;
}

}  // namespace

bool confirm_wheels_up(const robot::RobotConfig& config) {
    fmt::print(
        "The self-check of {} turns its wheels slowly for some seconds, even if the robot is stopped at "
        "present.\n"
        "Put it on a stand, so that no wheel touches the floor, and keep the emergency stop at hand.\n",
        config.name);
    if (::isatty(STDIN_FILENO) == 0) {
        self_check_error("expected a confirmation: add --yes if the wheels are off the floor");
        return false;
    }
    fmt::print("Are the wheels off the floor? Type yes: ");
    std::fflush(stdout);
    std::string line;
    if (std::getline(std::cin, line) && line == "yes") return true;
    self_check_error("not confirmed, nothing was moved");
    return false;
}

Exit run_self_check(const robot::RobotConfig& config, const KeyFolder& keys, GuardLink* guard, Log& log) {
    const auto digest = body_digest(config);
    if (!digest) return self_check_error(digest.error().message);
    SelfCheckRun run(config, keys, guard, log);
    if (const auto started = run.start(*digest); !started) return self_check_error(started.error().message);
    const bool has_ended = run.run();
    if (const auto restored = run.restore_latch(); !restored)
        return self_check_error("the latch is not restored: " + restored.error().message);
    if (!has_ended) return self_check_error("it was interrupted; the result of before stays");
    return conclude_self_check(config, *digest, run.check());
}

}  // namespace caribou::app
