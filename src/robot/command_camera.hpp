#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "loop/loop.hpp"
#include "loop/process.hpp"
#include "robot/camera.hpp"
#include "wire/jpeg_splitter.hpp"

namespace caribou::robot {

/// The camera of `camera.command`: a program that writes JPEG images to standard output, one after the other.
/// It runs only while pictures are requested, and is started again, after a pause, if it ends.
class CommandCamera final : public CameraSource, ProcessEvents {
public:
    /// All arguments outlive it and are on the same loop.
    CommandCamera(Loop& loop, Processes& processes, std::vector<std::string> command, Log& log);

    /// If the latest picture was returned before, waits up to `max_wait` for the next one, so that none is
    /// missed by a caller that asks as often as the program writes.
    void take(Taken taken) override;
    bool is_running() const { return process_ != nullptr; }

    /// How long the program runs without a request.
    static constexpr Duration linger = std::chrono::seconds(3);
    static constexpr Duration max_wait = std::chrono::milliseconds(300);
    /// Age at which a picture is not the present one any more.
    static constexpr Duration max_age = std::chrono::seconds(2);
    /// How long the program may take for its first picture.
    static constexpr Duration first_limit = std::chrono::seconds(10);
    /// Pause before the program is started again; doubled while it ends without a picture.
    static constexpr Duration shortest_pause = std::chrono::milliseconds(500);
    static constexpr Duration longest_pause = std::chrono::seconds(30);
    /// A program that writes that much without a picture is stopped.
    static constexpr std::uint64_t max_rubbish = 8_MiB;

private:
    void on_line(std::string_view line) override;
    bool wants_bytes() const override { return true; }
    void on_bytes(ByteView bytes) override;
    void on_end(const ProcessEnd& end) override;

    void start();
    void answer(const Taken& taken);
    /// Answers the request that waits for a picture, if there is one.
    void answer_waiting();
    void on_timer();
    void stop();
    /// Logs and keeps the reason, and starts again after a pause.
    void give_up(std::string why);
    Instant now() const { return loop_.clock().now(); }

    Loop& loop_;
    Processes& processes_;
    std::vector<std::string> command_;
    Log& log_;
    std::unique_ptr<Process> process_;
    wire::JpegSplitter splitter_;
    std::shared_ptr<const CameraShot> latest_;
    Instant taken_at_{};  ///< of the latest picture
    Instant asked_at_{};
    Instant started_at_{};
    Instant next_start_{};
    Duration pause_ = shortest_pause;
    std::string problem_;          ///< why the program does not run
    std::string last_line_;        ///< that it printed to standard error
    std::uint64_t rubbish_ = 0;    ///< bytes skipped at the latest picture
    bool has_complained_ = false;  ///< of bytes that are not images
    std::unique_ptr<Timer> timer_;
    std::shared_ptr<const CameraShot> given_;  ///< the latest picture that was returned
    Taken waiting_;                            ///< empty: none
    std::unique_ptr<Timer> wait_timer_;
};

}  // namespace caribou::robot
