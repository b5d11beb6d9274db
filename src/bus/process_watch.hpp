#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::bus {

/// Which programs of a community are missing, judged by the values of DB_CLIENTS: the rules of uProcessWatch.
///
/// | a program is watched | from |
/// |---|---|
/// | in the launch list or in `watch` without `*` | the start |
/// | matched by a pattern of `watch`, or any program if `watch_all` | when it is first seen |
///
/// but not this program itself, none that matches `nowatch`, and no tool of `caribou` with its default name,
/// such as `poke_4711`.
class ProcessWatch {
public:
    struct Settings {
        std::string own_name{};
        bool watch_all = true;
        std::vector<std::string> launched{};  ///< names of the programs in the launch list
        std::vector<std::string> watch{};     ///< `APP`, `APP*`, each with `:VARIABLE` if wanted
        std::vector<std::string> nowatch{};   ///< `APP` or `APP*`
    };
    struct Process {
        std::string name;
        bool launched = false;  ///< in the launch list
        bool present = false;
        bool reported = false;  ///< as present or as missing
        std::uint64_t times_seen = 0;
        std::uint64_t times_lost = 0;
        std::string variable{};  ///< receives "true" or "false"; may be empty
    };
    struct Changes {
        std::vector<const Process*> appeared{};
        std::vector<const Process*> vanished{};
    };

    static constexpr std::size_t max_processes = 10'000;

    explicit ProcessWatch(Settings settings);

    /// Handles a value of DB_CLIENTS: names separated by commas. The pointers are valid until the next call.
    Changes on_clients(std::string_view list);

    const std::vector<Process>& processes() const { return processes_; }
    bool all_present() const;
    /// Returns `All Present` or `AWOL: a,b`.
    std::string summary() const;
    /// Returns `a(1/0),b(1/1)`: how often each was seen and lost.
    std::string full_summary() const;
    /// Returns a table for people.
    std::string table() const;

private:
    bool is_excluded(std::string_view name) const;
    bool is_watched(std::string_view name) const;
    Process& add(std::string_view name);

    Settings settings_;
    std::vector<Process> processes_;  ///< in the order in which they were added
};

}  // namespace caribou::bus
