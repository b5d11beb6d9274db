#include "robot/command_camera.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loop/duration_text.hpp"

namespace caribou::robot {
namespace {

constexpr Duration look_period = std::chrono::milliseconds(500);

std::string end_text(const ProcessEnd& end) {
    return end.signal != 0 ? fmt::format("was ended by signal {}", end.signal)
                           : fmt::format("ended with code {}", end.code);
}

}  // namespace

CommandCamera::CommandCamera(Loop& loop, Processes& processes, std::vector<std::string> command, Log& log)
    : loop_(loop),
      processes_(processes),
      command_(std::move(command)),
      log_(log),
      timer_(loop.make_timer([this] { on_timer(); })),
      wait_timer_(loop.make_timer([this] { answer_waiting(); })) {}

void CommandCamera::take(Taken taken) {
    asked_at_ = now();
    if (!process_ && now() >= next_start_) start();
    if (!process_ || !latest_ || latest_ != given_) return answer(taken);
    waiting_ = std::move(taken);
    wait_timer_->arm(now() + max_wait);
}

void CommandCamera::answer_waiting() {
    wait_timer_->cancel();
    if (const Taken taken = std::exchange(waiting_, {})) answer(taken);
}

void CommandCamera::answer(const Taken& taken) {
    given_ = latest_;
    if (latest_ && now() - taken_at_ <= max_age) return taken(latest_);
    if (!process_) return taken(fail(Code::unavailable, problem_));
    if (latest_)
        return taken(fail(Code::timed_out,
                          fmt::format("The program of camera.command has written no picture for {:.0f} s.",
                                      to_seconds(now() - taken_at_))));
    taken(fail(Code::unavailable, "The camera is starting."));
}

void CommandCamera::start() {
    splitter_ = {};
    rubbish_ = 0;
    has_complained_ = false;
    last_line_.clear();
    latest_.reset();
    started_at_ = now();
    auto process = processes_.start(command_, *this);
    if (!process)
        return give_up("The program of camera.command cannot be started: " + process.error().message);
    process_ = std::move(*process);
    timer_->arm(now() + look_period);
}

void CommandCamera::on_timer() {
    if (!process_) return;
    if (now() - asked_at_ > linger) return stop();
    if (!latest_ && now() - started_at_ > first_limit) {
        process_.reset();
        return give_up(fmt::format("The program of camera.command has written no picture within {:.0f} s.",
                                   to_seconds(first_limit)));
    }
    if (splitter_.skipped() - rubbish_ > max_rubbish) {
        process_.reset();
        return give_up("The program of camera.command writes something else than JPEG images.");
    }
    timer_->arm(now() + look_period);
}

void CommandCamera::stop() {
    process_.reset();
    latest_.reset();
    pause_ = shortest_pause;
    next_start_ = {};
}

void CommandCamera::give_up(std::string why) {
    timer_->cancel();
    next_start_ = now() + pause_;
    log_.warning(
        fmt::format("{} It is started again after {} if someone watches.", why, duration_text(pause_)));
    problem_ = std::move(why);
    pause_ = std::min(2 * pause_, longest_pause);
    latest_.reset();
    answer_waiting();
}

void CommandCamera::on_line(std::string_view line) {
    if (last_line_.empty()) log_.info(fmt::format("camera: {}", line));
    last_line_ = line.substr(0, 200);
}

void CommandCamera::on_bytes(ByteView bytes) {
    auto images = splitter_.add(bytes);
    if (!images.empty()) {
        latest_ = std::make_shared<const CameraShot>(
            CameraShot{.time = loop_.clock().unix_seconds(), .picture = std::move(images.back())});
        taken_at_ = now();
        rubbish_ = splitter_.skipped();
        pause_ = shortest_pause;
        answer_waiting();
    }
    // Separators between images are short.
    if (!has_complained_ && splitter_.skipped() - rubbish_ > wire::JpegSplitter::max_image / 4) {
        has_complained_ = true;
        log_.warning(
            "The program of camera.command writes bytes that are not JPEG images; they are skipped. It must "
            "write "
            "MJPEG to standard output, and everything else to standard error.");
    }
}

void CommandCamera::on_end(const ProcessEnd& end) {
    process_.reset();
    give_up(fmt::format("The program of camera.command {}{}.", end_text(end),
                        last_line_.empty() ? "" : fmt::format(": {}", last_line_)));
}

}  // namespace caribou::robot
