#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "link/answer.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// A full stop that a person has requested, until the robot confirms it or a person dismisses it. One that
/// failed is sent again as soon as the robot can be reached, however long that takes.
class UnconfirmedStop {
public:
    struct Open {
        Instant since;    ///< when it was first requested
        std::string by;   ///< who requested it then
        std::string why;  ///< why the latest attempt failed; empty if none has

        friend bool operator==(const Open&, const Open&) = default;
    };

    /// A full stop is sent; `by` is empty if it is sent again. Its final answer must be passed to learn().
    void sending(std::string_view by, Instant now);
    /// Returns whether what shown() returns may have changed.
    bool learn(const link::Answer& answer, Instant now);
    /// The robot is known to have been stopped at that time. Returns whether this confirms the stop.
    bool stopped_at(Instant time);
    /// Ends it without a confirmation: a person has dismissed it, or has released the robot since. Returns
    /// whether there was one.
    bool dismiss();

    /// Returns the stop; null if there is none.
    const Open* open() const { return open_ ? &*open_ : nullptr; }
    /// Returns it if people have to know of it: an attempt failed, or it was not confirmed for `quiet`.
    const Open* shown(Instant now) const;
    /// Returns whether it is time to send it again, if the robot can be reached.
    bool is_due(Instant now) const;

    static constexpr Duration quiet = std::chrono::milliseconds(1500);
    /// Between two attempts.
    static constexpr Duration pause = std::chrono::seconds(1);

private:
    std::optional<Open> open_{};
    int under_way_ = 0;  ///< attempts without a final answer
    Instant sent_at_{};
};

}  // namespace caribou::station
