#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bus/appcast.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// Decides when an app publishes a report, and keeps its warnings and events (docs/formats/appcast.md):
///
/// | a report is due | |
/// |---|---|
/// | at the first iteration | without any request |
/// | after a new configuration warning | without any request |
/// | while a request with the threshold `any` is alive | at each iteration |
/// | while one with the threshold `run_warning` is alive | after a new or retracted run warning |
///
/// but never sooner than `interval` of real time after the last one. Requests count in warped time.
class AppCaster {
public:
    static constexpr std::size_t max_config_warnings = 100;
    static constexpr std::size_t max_run_warnings = 10;  ///< different texts; more are counted as others
    static constexpr std::size_t max_requests = 64;      ///< clients; further ones are ignored
    static constexpr std::string_view other_run_warnings = "Other Run Warnings";

    struct Settings {
        double interval = 0.4;  ///< minimum between two reports, in real seconds
        int max_events = 8;     ///< the last ones are kept
    };

    /// `settings` is read whenever it is needed, and must outlive this object.
    explicit AppCaster(const Settings& settings) : settings_(settings) {}

    void add_config_warning(std::string_view text);
    void add_run_warning(std::string_view text);
    /// Removes a run warning. Has no effect if there is none with this text.
    void retract_run_warning(std::string_view text);
    /// `since_start` is warped time.
    void add_event(std::string_view text, Duration since_start);

    /// Handles a value of APPCAST_REQ. Malformed requests, and those for other apps, have no effect.
    void on_request(std::string_view text, std::string_view app, std::string_view node, Instant warped);

    bool due(Instant real, Instant warped);
    /// Returns the report with everything but proc, node, iteration and messages, and regards it as
    /// published.
    AppCast take(Instant real);

private:
    struct Request {
        Instant expires;
        AppCastRequest::Threshold threshold;
    };

    const Settings& settings_;
    std::vector<std::string> config_warnings_;
    std::vector<std::string> events_;
    std::map<std::string, std::uint64_t> run_warnings_;
    std::map<std::string, Request, std::less<>> requests_;
    bool must_report_ = true;  ///< at the first iteration, and after a new configuration warning
    bool run_warnings_changed_ = false;
    bool reported_ = false;
    Instant last_report_{};
};

}  // namespace caribou::bus
