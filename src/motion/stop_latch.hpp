#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/strand.hpp"
#include "motion/latch_store.hpp"

namespace caribou::motion {

/// Keeps the stored latch equal to the latched full stop of propulsion, and notifies commands when both are
/// in effect. A stop for the shutdown of the program is not stored.
///
/// | event                     | stored as                                   |
/// |---------------------------|---------------------------------------------|
/// | a stop is requested       | stopped, at once                            |
/// | propulsion is stopped     | stopped                                     |
/// | propulsion is released    | released, if that was requested last        |
class StopLatch {
public:
    /// How long a command waits for storing, and for the confirmation of propulsion.
    static constexpr Duration limit = std::chrono::seconds(1);
    /// When storing is tried again after an error.
    static constexpr Duration retry_after = std::chrono::seconds(5);
    static constexpr std::string_view too_slow = "storing it takes longer than one second";

    struct Outcome {
        bool in_effect = false;    ///< confirmed by propulsion
        std::string not_stored{};  ///< why the latch is not stored; empty if it is
    };
    using Told = std::function<void(const Outcome&)>;

    /// `on_outcome` is called after every attempt to store, with the error or an empty text, and after
    /// `limit` if an attempt takes longer. All arguments must outlive this object.
    StopLatch(Strand& strand, LatchStore& store,
              std::function<void(const std::string& not_stored)> on_outcome);
    ~StopLatch();
    StopLatch(const StopLatch&) = delete;
    StopLatch& operator=(const StopLatch&) = delete;

    /// Must be called when propulsion was ordered to stop. `told` is called once, at most `limit` later.
    void stop(StopCause cause, Told told);
    /// Must be called when propulsion was ordered to release the stop. `told` as above.
    void release(Told told);
    /// Notifies all waiting commands now, because the program ends.
    void finish();
    /// Must be called when the latched stop of propulsion has changed.
    void on_motion(std::optional<StopCause> stop);

private:
    struct Waiting {
        bool stopped;
        Instant until;
        Told told;
    };
    void keep(std::optional<StopCause> stop);
    void store();
    void wait(bool stopped, Told told);
    void on_stored(std::uint64_t number, const Result<void>& outcome);
    void settle() { settle(strand_.loop().clock().now()); }
    void settle(Instant now);

    Strand& strand_;
    LatchStore& store_;
    std::function<void(const std::string&)> on_outcome_;
    std::optional<StopCause> wanted_;  ///< to be stored
    bool in_motion_ = false;           ///< propulsion is stopped
    bool released_last_ = false;       ///< the last request was a release
    std::uint64_t requested_ = 0;      ///< calls of store()
    std::uint64_t finished_ = 0;       ///< number of the last call that finished
    std::string not_stored_;           ///< result of that one
    std::vector<Waiting> waiting_;
    std::unique_ptr<Timer> timer_;
    std::unique_ptr<Timer> slow_;  ///< of the latest call of store()
    std::unique_ptr<Timer> retry_;
    std::shared_ptr<StopLatch*> self_;  ///< for answers after its destruction
};

}  // namespace caribou::motion
