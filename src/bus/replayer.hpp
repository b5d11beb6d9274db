#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "bus/client.hpp"
#include "loop/loop.hpp"
#include "wire/alog.hpp"

namespace caribou::bus {

/// Writes the values of a log to a broker again, each at its time and under the name of who wrote it
/// first. What the broker of the recording said of itself is left out: this one speaks for itself.
class Replayer {
public:
    struct Options {
        double speed = 1;  ///< times as fast; 0: as fast as the broker takes it
        double from = 0;   ///< seconds of the log's time
        std::optional<double> to{};
        bool loop = false;  ///< again and again
    };
    struct Progress {
        double time = 0;               ///< of the log
        std::uint64_t sent = 0;        ///< values
        std::uint64_t left_out = 0;    ///< what nobody asked for, and what the broker said of itself
        std::uint64_t unreadable = 0;  ///< values whose bytes are not there
        std::uint64_t rounds = 0;      ///< that have ended

        friend bool operator==(const Progress&, const Progress&) = default;
    };
    using Wanted = std::move_only_function<bool(const wire::AlogEntry&) const>;
    /// The bytes that a reference stands for; they stand until the next call.
    using Resolve = std::move_only_function<Result<std::string_view>(const wire::AlogReference&)>;

    /// The client's on_room is taken. The log stands as long as this does.
    Replayer(Loop& loop, Client& client, std::string_view log, Options options, Wanted wanted,
             Resolve resolve);
    ~Replayer();
    Replayer(const Replayer&) = delete;
    Replayer& operator=(const Replayer&) = delete;

    /// `on_end` comes when everything is handed to the client.
    void start(Task on_end);
    const Progress& progress() const { return progress_; }

private:
    enum class Step { on, wait, end };

    void begin_round();
    void go_on();
    Step step(Instant now);
    Instant due(double time) const;
    bool send(const wire::AlogEntry& entry);

    Loop& loop_;
    Client& client_;
    std::string_view log_;
    Options options_;
    Wanted wanted_;
    Resolve resolve_;
    Task on_end_;
    wire::AlogReader reader_;
    std::optional<wire::AlogEntry> next_;
    std::uint64_t sent_before_round_ = 0;
    Instant began_{};
    Progress progress_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::bus
