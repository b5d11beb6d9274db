#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "behavior/action.hpp"

namespace caribou::behavior {

/// How many parts decide.
struct ParallelPolicy {
    std::size_t success_count = 0;  ///< so many must succeed; 0: all
    std::size_t failure_count = 1;  ///< so many may not succeed; 0: all
};

/// Runs all parts at the same time.
///
/// | the parts                              | the whole                                           |
/// |----------------------------------------|-----------------------------------------------------|
/// | failure_count of them did not succeed  | ends with the outcome of the first declared of      |
/// |                                        | those that ended now                                |
/// | success_count of them succeeded        | succeeded                                           |
/// | all ended otherwise                    | failed                                              |
/// | otherwise                              | continues                                           |
///
/// Parts that are still running at its end are cancelled, in order, in the same poll. Cancelling it cancels
/// every part that is still running. Without parts it succeeds at its first poll.
class ParallelAction final : public Action {
public:
    explicit ParallelAction(std::vector<std::unique_ptr<Action>> parts, ParallelPolicy policy = {});

    std::string_view name() const override { return "parallel"; }
    void start(Instant now) override;
    std::optional<Outcome> poll(Instant now) override;
    void cancel() override;

private:
    struct Part {
        std::unique_ptr<Action> action;
        bool runs = false;
    };
    std::vector<Part> parts_;
    ParallelPolicy policy_;
    std::size_t succeeded_ = 0;
    std::size_t not_succeeded_ = 0;
};

}  // namespace caribou::behavior
