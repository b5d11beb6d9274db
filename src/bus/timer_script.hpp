#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "bus/timer_script_words.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// A script of timed events, with the rules of uTimerScript. Script time starts at minus the delay, and
/// passes while the script runs: neither paused nor, unless it is atomic and has begun, without its
/// conditions.
class TimerScript {
public:
    enum class Reset { never, all_posted, after };
    enum class Awake { nothing, reset, restart };  ///< when the conditions hold again

    struct Settings {
        std::string name = "unnamed";
        std::vector<TimerEvent> events{};
        std::vector<TimerMacro> macros{};
        NumberSpan delay_start{};
        NumberSpan delay_reset{};
        Reset reset = Reset::never;
        double reset_time = 0;          ///< seconds of script time, for Reset::after
        std::int64_t most_resets = -1;  ///< < 0: no limit
        bool shuffle = true;            ///< draw the times of events again at each reset
        double time_warp = 1;           ///< seconds of script time per second
        bool from_db_start = false;     ///< script time is the time since the start of the broker
        bool is_atomic = false;
        Awake upon_awake = Awake::nothing;
        bool paused = false;
    };
    /// Values for the macros of the program.
    struct Facts {
        double utc = 0;  ///< UNIX seconds, warped
        std::optional<double> db_uptime{};
        std::string community{};
        std::optional<double> nav_x{};
        std::optional<double> nav_y{};
    };
    struct Post {
        std::string variable{};  ///< empty: the script ends the program
        std::string text{};
        std::optional<double> number{};  ///< the value, if it is a number

        friend bool operator==(const Post&, const Post&) = default;
    };

    TimerScript(Settings settings, Random random);

    /// Returns what is due. `runs`: its conditions hold, and nothing blocks it.
    std::vector<Post> step(Instant now, bool runs, const Facts& facts);

    void pause(bool paused) { settings_.paused = paused; }
    bool paused() const { return settings_.paused; }
    /// Advances script time by so many seconds; by 0 or less, to the next event.
    void forward(double seconds);
    /// Starts the script again. Returns false if it was reset as often as it may be.
    bool reset();

    /// Returns the value of UTS_STATUS.
    std::string status() const;
    /// Returns the status and the pending events, for people.
    std::string table() const;

private:
    struct Pending {
        std::size_t event;  ///< index
        double time;
    };

    void start(const NumberSpan& delay, bool draws_times);
    void draw(TimerMacro::Drawn at);
    const TimerEvent& event_of(const Pending& pending) const { return settings_.events[pending.event]; }
    Post post_of(const TimerEvent& event, const Facts& facts);
    std::optional<std::string> macro(std::string_view name, const Facts& facts);
    void wake(bool runs);

    Settings settings_;
    Random random_;
    std::map<std::string, double, std::less<>> values_;  ///< of the random variables
    std::vector<Pending> events_;                        ///< by time
    std::size_t posted_ = 0;                             ///< of events_
    std::uint64_t posted_in_all_ = 0;
    std::int64_t resets_ = 0;
    double elapsed_ = 0;
    std::optional<Instant> last_{};
    bool ran_ = false;  ///< in the last step
    bool woke_before_ = false;
    bool is_placed_ = false;  ///< script time was set to the uptime of the broker
};

}  // namespace caribou::bus
