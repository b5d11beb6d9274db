#pragma once

#include <functional>
#include <optional>
#include <string>

#include "loop/time.hpp"
#include "report.hpp"

namespace caribou::bench {

/// A promise with a limit, tried many times.
struct Promise {
    std::string name;  ///< figures: NAME_ok, and `worst`
    std::string worst;
    Duration limit;
};

/// Counts the trials of a promise, and prints the progress.
class Trials {
public:
    Trials(const Report& report, Promise promise, int count)
        : report_(report), promise_(std::move(promise)), count_(count) {}

    /// Counts a trial: how long it took, or nullopt if it failed, with the reason.
    void add(std::optional<Duration> time, const std::function<std::string()>& why);
    bool done() const { return tried_ == count_; }
    int tried() const { return tried_; }
    /// Prints how many trials were within the limit, and the longest. Without `valid` none counts.
    void finish(bool valid = true) const;

private:
    const Report& report_;
    Promise promise_;
    int count_;
    int tried_ = 0;
    int good_ = 0;
    int missing_ = 0;
    Duration worst_{};
};

}  // namespace caribou::bench
