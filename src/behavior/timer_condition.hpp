#pragma once

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// | time since it became live | answer |
/// |---------------------------|--------|
/// | less than `from`          | false  |
/// | `from` or more            | true   |
///
/// As a wants condition: a minimum time in scope, or since the last deactivation. As a cancel condition: a
/// time limit.
class TimerCondition final : public Condition {
public:
    explicit TimerCondition(Duration from) : from_(from) {}
    std::string describe() const override;

protected:
    void on_start(const Moment& moment) override { began_ = moment.now; }
    bool on_evaluate(const Moment& moment) override { return moment.now - began_ >= from_; }

private:
    Duration from_;
    Instant began_{};
};

}  // namespace caribou::behavior
