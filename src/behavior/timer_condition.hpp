#pragma once

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// | time since it went live | answer |
/// |-------------------------|--------|
/// | before `from`           | false  |
/// | from `from` on          | true   |
///
/// As a wants condition: "not before it was in scope, or inactive again, for that long". As a cancel
/// condition: a time limit.
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
