#pragma once

#include <string>
#include <utility>

#include "behavior/pass_through.hpp"

namespace caribou::behavior {

/// Runs one child and exchanges success and failure. A cancelled child stays cancelled.
class Invert final : public PassThrough {
public:
    using PassThrough::PassThrough;

protected:
    Outcome result_of(const Outcome& ended) const override;
};

/// Runs one child and succeeds, however it ended.
class ForceSuccess final : public PassThrough {
public:
    using PassThrough::PassThrough;

protected:
    Outcome result_of(const Outcome&) const override { return Outcome::succeeded(); }
};

/// Runs one child and fails, however it ended.
class ForceFailure final : public PassThrough {
public:
    using PassThrough::PassThrough;

protected:
    Outcome result_of(const Outcome& ended) const override;
};

/// Runs one child, for a limited time. If the child is still active in the first tick at or after the limit,
/// it is cancelled, and this ends as failed.
class Timeout final : public PassThrough {
public:
    Timeout(std::string id, Duration limit) : PassThrough(std::move(id)), limit_(limit) {}

protected:
    void on_begin(Control& control) override;

private:
    Duration limit_;
};

}  // namespace caribou::behavior
