#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// What a child is worth: base + fact + function - penalty, where the penalty shrinks evenly to
/// nothing within `recovery` after the child ended.
struct ScoreOptions {
    double base = 0;
    std::string fact{};  ///< a number to be added; unknown, or no number: 0
    std::function<double(const View&)> function{};
    double penalty = 0;
    Duration recovery{0};
};

/// When no child runs, the one with the highest score among those that want.
///
/// | children that want                | does                                  |
/// |-----------------------------------|---------------------------------------|
/// | one has the highest score         | starts it                             |
/// | several have the same             | starts the first declared             |
/// | none, or none with a score above 0| waits                                 |
///
/// All are asked each time. A running child is never interrupted. A score that is not a number
/// counts as 0.
class Scoring final : public Dispatcher {
public:
    using Dispatcher::Dispatcher;

    void add(Behavior& child, ScoreOptions options);
    /// The score at this moment.
    double score(const View& view, std::size_t i) const;

protected:
    void choose(Control& control, const Outcome* ended) override;
    void on_child_ended(const View& view, std::size_t i) override;

private:
    struct Scored {
        ScoreOptions options;
        std::optional<Instant> ended{};
    };
    std::vector<Scored> scored_;
};

}  // namespace caribou::behavior
