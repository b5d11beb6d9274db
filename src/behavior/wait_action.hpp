#pragma once

#include "behavior/action.hpp"

namespace caribou::behavior {

/// Succeeds in the first tick at or after its duration.
class WaitAction final : public Action {
public:
    explicit WaitAction(Duration duration) : duration_(duration) {}

    std::string_view name() const override { return "wait"; }
    void start(Instant now) override { due_ = now + duration_; }
    std::optional<Outcome> poll(Instant now) override {
        return now < due_ ? std::nullopt : std::optional(Outcome::succeeded());
    }
    void cancel() override {}

private:
    Duration duration_;
    Instant due_{};
};

}  // namespace caribou::behavior
