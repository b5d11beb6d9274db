#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "behavior/action.hpp"

namespace caribou::behavior {

/// Runs one action after the other; each starts in the tick in which the previous one succeeded.
///
/// | the current part | the whole                                          |
/// |------------------|----------------------------------------------------|
/// | continues        | continues                                          |
/// | succeeded        | starts the next; after the last: succeeded         |
/// | failed           | failed with that reason; the rest never starts     |
/// | cancelled        | cancelled with that reason; the rest never starts  |
///
/// Cancelling it cancels the current part. Without parts it succeeds at its first poll.
class SequentialAction final : public Action {
public:
    explicit SequentialAction(std::vector<std::unique_ptr<Action>> parts) : parts_(std::move(parts)) {}

    std::string_view name() const override { return "sequential"; }
    void start(Instant now) override;
    std::optional<Outcome> poll(Instant now) override;
    void cancel() override;

private:
    std::vector<std::unique_ptr<Action>> parts_;
    std::size_t current_ = 0;
};

}  // namespace caribou::behavior
