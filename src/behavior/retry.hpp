#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

struct RetryOptions {
    std::size_t attempts = 3;  ///< at most; at least 1
    Duration pause{0};         ///< between the end of one attempt and the next
};

/// Runs one child until it succeeds. At most one attempt starts per tick. Declares the repeat, so that it
/// does not count as a cycle.
///
/// | child                          | the retry                                          |
/// |--------------------------------|----------------------------------------------------|
/// | succeeded                      | ends as succeeded                                  |
/// | failed, attempts are left      | starts it again after the pause, at the earliest   |
/// |                                | in the next tick                                   |
/// | failed in the last attempt     | ends as failed, with that reason                   |
/// | cancelled                      | ends as cancelled                                  |
/// | does not want                  | ends with the outcome of the last attempt, or as   |
/// |                                | failed if there was none                           |
class Retry final : public Dispatcher {
public:
    Retry(std::string id, RetryOptions options);

    /// Sets the child. Fails with already_exists if there is one.
    Result<void> add(Behavior& child);

protected:
    void on_begin(Control& control) override;
    void choose(Control& control, const Outcome* ended) override;

private:
    RetryOptions options_;
    std::size_t attempts_ = 0;
    Instant next_{};           ///< earliest time of the next attempt
    std::uint64_t ended_ = 0;  ///< tick in which the last attempt ended
    std::optional<Outcome> failure_;
};

}  // namespace caribou::behavior
