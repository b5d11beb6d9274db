#include "bus/supervisor.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

constexpr Duration first_pause = 500ms;
constexpr Duration longest_pause = 30s;
/// A program that ran for this long has started successfully: the pauses start again from the shortest.
constexpr Duration settled = 10s;

std::string describe(const ProcessEnd& end) {
    return end.signal != 0 ? fmt::format("killed by signal {}", end.signal)
                           : fmt::format("exited with {}", end.code);
}

}  // namespace

/// One program across all of its restarts.
class Supervisor::Child final : public ProcessEvents {
public:
    Child(Supervisor& owner, std::size_t index)
        : owner_(owner),
          index_(index),
          program_(owner.plan_.programs[index]),
          again_(owner.loop_.make_timer([this] { std::ignore = start(); })),
          hung_(owner.loop_.make_timer([this] { kill_hung(); })) {}

    /// Returns the id of the process.
    Result<int> start() {
        waiting_ = false;
        failed_ = false;
        started_ = owner_.loop_.clock().now();
        auto process = owner_.processes_.start(program_.words, *this);
        if (!process) {
            failed_ = true;
            owner_.events_.on_note(index_, "cannot be started: " + process.error().message);
            owner_.on_child_over();
            return fail(std::move(process.error()));
        }
        process_ = std::move(*process);
        owner_.events_.on_note(index_, fmt::format("started, process {}", process_->id()));
        return process_->id();
    }

    void start_again(OnStarted on_started) {
        if (on_started_) return on_started(fail(Code::wrong_state, "it is being started already"));
        if (std::exchange(waiting_, false)) again_->cancel();
        if (!process_) return report(start(), "", on_started);
        on_started_ = std::move(on_started);
        was_hung_ = false;
        process_->terminate();
        hung_->arm(owner_.loop_.clock().now() + start_again_grace);
    }

    bool write(std::string_view line) { return process_ && process_->write(line); }

    void stop() {
        if (std::exchange(waiting_, false)) again_->cancel();
        asked_ = true;
        if (process_) process_->terminate();
    }

    void force() {
        if (!process_) return;
        forced_ = true;
        owner_.events_.on_note(index_, "does not exit and is killed");
        process_->kill();
    }

    bool over() const { return !process_ && !waiting_; }
    bool failed() const { return failed_; }
    const std::string& name() const { return program_.name; }

    void on_line(std::string_view line) override { owner_.events_.on_line(index_, line); }
    bool wants_input() const override { return program_.reads_input; }

    void on_end(const ProcessEnd& end) override {
        process_.reset();
        if (on_started_) return on_replaced(end);
        on_exit(end);
    }

private:
    void on_exit(const ProcessEnd& end) {
        // A program that is ended by the requested signal has exited as requested.
        constexpr int terminate_signal = 15;
        const bool obeyed = asked_ && !forced_ && (end.good() || end.signal == terminate_signal);
        failed_ = !end.good() && !obeyed;
        const bool again = !asked_ && (program_.restart == Restart::always ||
                                       (program_.restart == Restart::on_failure && !end.good()));
        if (!again) {
            owner_.events_.on_note(index_, describe(end));
            return owner_.on_child_over();
        }
        if (owner_.loop_.clock().now() - started_ >= settled) pause_ = first_pause;
        owner_.events_.on_note(index_,
                               fmt::format("{}; restarts in {} s", describe(end), to_seconds(pause_)));
        waiting_ = true;
        again_->arm(owner_.loop_.clock().now() + pause_);
        pause_ = std::min(pause_ * 2, longest_pause);
    }

    /// The program has ended in order to be started again.
    void on_replaced(const ProcessEnd& end) {
        hung_->cancel();
        const OnStarted on_started = std::exchange(on_started_, {});
        if (asked_) {
            on_exit(end);
            return on_started(fail(Code::wrong_state, "everything is being ended"));
        }
        owner_.events_.on_note(index_, describe(end));
        report(start(), was_hung_ ? "it did not respond, and was killed; " : "it was ended; ", on_started);
    }

    void kill_hung() {
        if (!process_) return;
        was_hung_ = true;
        process_->kill();
    }

    static void report(const Result<int>& started, std::string_view before, const OnStarted& to) {
        if (started)
            to(fmt::format("{}started, process {}", before, *started));
        else
            to(fail(started.error().code, fmt::format("{}{}", before, started.error().message)));
    }

    Supervisor& owner_;
    std::size_t index_;
    const LaunchProgram& program_;
    std::unique_ptr<Process> process_;
    std::unique_ptr<Timer> again_;
    std::unique_ptr<Timer> hung_;
    OnStarted on_started_;  ///< not empty: it is ended in order to be started again
    bool was_hung_ = false;
    Instant started_{};
    Duration pause_ = first_pause;
    bool waiting_ = false;  ///< will be restarted
    bool asked_ = false;    ///< to exit
    bool forced_ = false;
    bool failed_ = false;
};

Supervisor::Supervisor(Loop& loop, Processes& processes, LaunchPlan plan, LaunchEvents& events)
    : loop_(loop),
      processes_(processes),
      plan_(std::move(plan)),
      events_(events),
      next_start_(loop.make_timer([this] { start_next(); })),
      grace_(loop.make_timer([this] { force(); })) {}

Supervisor::~Supervisor() = default;

void Supervisor::start() { next_start_->arm(loop_.clock().now()); }

void Supervisor::start_next() {
    if (next_ == plan_.programs.size()) return;
    const std::size_t index = next_++;
    children_.push_back(std::make_unique<Child>(*this, index));
    std::ignore = children_.back()->start();
    if (next_ < plan_.programs.size() && !stopping_) next_start_->arm(loop_.clock().now() + plan_.between);
}

void Supervisor::stop() {
    if (stopping_) return force();
    stopping_ = true;
    next_start_->cancel();
    next_ = plan_.programs.size();
    grace_->arm(loop_.clock().now() + plan_.grace);
    for (const auto& child : children_) child->stop();
    on_child_over();
}

void Supervisor::start_again(std::size_t program, OnStarted on_started) {
    if (stopping_) return on_started(fail(Code::wrong_state, "everything is being ended"));
    if (program >= children_.size()) return on_started(fail(Code::not_found, "there is no such program"));
    children_[program]->start_again(std::move(on_started));
}

bool Supervisor::write(std::size_t program, std::string_view line) {
    return program < children_.size() && children_[program]->write(line);
}

void Supervisor::force() {
    for (const auto& child : children_) child->force();
}

bool Supervisor::over() const {
    return next_ == plan_.programs.size() &&
           std::ranges::all_of(children_, [](const auto& child) { return child->over(); });
}

void Supervisor::on_child_over() {
    if (!over()) return;
    grace_->cancel();
    events_.on_over();
}

std::vector<std::string> Supervisor::failures() const {
    std::vector<std::string> names;
    for (const auto& child : children_)
        if (child->failed()) names.push_back(child->name());
    return names;
}

}  // namespace caribou::bus
