#pragma once

#include <memory>
#include <vector>

#include "behavior/action.hpp"

namespace caribou::behavior {

/// Runs all parts at the same time.
///
/// | the parts                            | the whole                                       |
/// |--------------------------------------|-------------------------------------------------|
/// | all succeeded                        | succeeded                                       |
/// | one did not succeed (first declared) | ends with its outcome; parts still running are  |
/// |                                      | cancelled, in order, in the same poll           |
/// | otherwise                            | continues                                       |
///
/// Cancelling it cancels every part that is still running. Without parts it succeeds at its first poll.
class ParallelAction final : public Action {
public:
    explicit ParallelAction(std::vector<std::unique_ptr<Action>> parts);

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
};

}  // namespace caribou::behavior
