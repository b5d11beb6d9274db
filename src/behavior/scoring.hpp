#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// The score of a child: base + fact + function - penalty, where the penalty decreases linearly to 0 within
/// `recovery` after the child ended.
struct ScoreOptions {
    double base = 0;
    std::string fact{};  ///< a number to add; 0 if unknown or not a number
    std::function<double(const View&)> function{};
    double penalty = 0;
    Duration recovery{0};
};

/// While no child runs, selects the one with the highest score among those that want control.
///
/// | children that want control        | effect                                |
/// |-----------------------------------|---------------------------------------|
/// | one has the highest score         | starts it                             |
/// | several have the same             | starts the first declared             |
/// | none, or none with a score above 0| ends, or waits if it is the base      |
///
/// All are asked each time. A running child is never interrupted. A score that is not a number counts as 0.
class Scoring final : public Dispatcher {
public:
    using Dispatcher::Dispatcher;

    void add(Behavior& child, ScoreOptions options);
    /// Returns the current score of a child.
    double score(const View& view, std::size_t i) const;

protected:
    bool is_available(const View& view, std::size_t i) const override { return score(view, i) > 0; }
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
