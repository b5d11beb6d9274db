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

/// Publishes the values of a log at their recorded times and under their original sources. DB_ variables of
/// the recorded broker are skipped.
class Replayer {
public:
    struct Options {
        double speed = 1;  ///< relative to real time; 0: as fast as the broker accepts values
        double from = 0;   ///< seconds of log time
        std::optional<double> to{};
        bool loop = false;  ///< repeat for ever
    };
    struct Progress {
        double time = 0;               ///< position in the log
        std::uint64_t sent = 0;        ///< number of values
        std::uint64_t left_out = 0;    ///< not requested, or DB_ variables of the recorded broker
        std::uint64_t unreadable = 0;  ///< values whose binary data is missing
        std::uint64_t rounds = 0;      ///< completed

        friend bool operator==(const Progress&, const Progress&) = default;
    };
    using Wanted = std::move_only_function<bool(const wire::AlogEntry&) const>;
    /// Returns the binary data of a reference, valid until the next call.
    using Resolve = std::move_only_function<Result<std::string_view>(const wire::AlogReference&)>;

    /// Replaces the client's on_room handler. `log` must outlive this object.
    Replayer(Loop& loop, Client& client, std::string_view log, Options options, Wanted wanted,
             Resolve resolve);
    ~Replayer();
    Replayer(const Replayer&) = delete;
    Replayer& operator=(const Replayer&) = delete;

    /// Calls `on_end` when all values have been passed to the client.
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
