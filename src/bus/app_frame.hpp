#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "bus/app.hpp"
#include "bus/app_comms.hpp"
#include "bus/app_settings.hpp"
#include "bus/app_status.hpp"
#include "bus/appcaster.hpp"
#include "bus/client.hpp"
#include "bus/iterate_schedule.hpp"
#include "bus/load_report.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "loop/warp.hpp"

namespace caribou::bus {

/// Runs an App: connects, delivers mail, calls iterate, and publishes the status. A state machine on a real
/// or virtual loop.
///
///     AppFrame frame(loop, network, probe, log, {.name = "pDepth"});
///     Depth app(frame);                       // declares its parameters
///     frame.configure(command_line, mission)  // gives them values
///     frame.start(app);
class AppFrame final : AppComms::Events {
public:
    /// An app whose connection runs on the same loop. All arguments and the app must outlive the frame.
    AppFrame(Loop& loop, Network& network, ProcessProbe& probe, Log& log, AppSettings settings);
    /// An app with another kind of connection.
    AppFrame(Loop& loop, std::unique_ptr<AppComms> comms, ProcessProbe& probe, Log& log,
             AppSettings settings);
    ~AppFrame();
    AppFrame(const AppFrame&) = delete;
    AppFrame& operator=(const AppFrame&) = delete;

    /// See configure() in bus/app_settings.hpp.
    Result<std::vector<std::string>> configure(const AppCommandLine& line, const Mission& mission);
    /// Calls on_start_up, then starts to connect. `client` is passed to the client, with name, broker address
    /// and ticks replaced by the frame's settings.
    Result<void> start(App& app, ClientOptions client = {});
    /// Ends the program once everything that was notified has been passed to the network, but after one
    /// second at the latest.
    void finish();
    /// Sets the handler that is called once at the end, with the error if the program failed.
    void on_end(std::move_only_function<void(const std::optional<Error>&)> handler) {
        ended_ = std::move(handler);
    }

    const AppSettings& settings() const { return settings_; }
    Parameters& parameters() { return parameters_; }
    const Clock& clock() const { return pace_loop().clock(); }
    Log& log() { return log_; }
    AppComms& comms() {
        check(app_ != nullptr, "an app must not use the bus before on_start_up");
        return *comms_;
    }
    /// Returns the time of start, as values are stamped.
    double started_at() const { return started_at_; }
    std::uint64_t overruns() const { return schedule_.overruns(); }
    AppStatus status();

    // Used by App.
    template <class Value>
    void notify(std::string_view key, Value value, const NotifyOptions& with = {}) {
        if (auto pushed = comms().notify(key, value, with); !pushed) return note_error(pushed.error());
        note_published(key);
    }
    void subscribed(std::string_view what, const Result<void>& result);
    void unsubscribed(std::string_view what, const Result<void>& result);
    void appcast(std::move_only_function<std::string()> text);
    AppCaster& caster() { return caster_; }
    void add_event(std::string_view text);

private:
    const Loop& pace_loop() const { return warped_ ? static_cast<const Loop&>(*warped_) : loop_; }
    Loop& pace_loop() { return warped_ ? static_cast<Loop&>(*warped_) : loop_; }

    // AppComms::Events.
    void on_connected() override;
    void on_disconnected(const Error& why) override;
    void on_refused(std::string_view why) override;
    void on_mail() override { turn(); }
    void on_mail_lost(std::uint64_t count) override;

    void start_pace();
    /// Calls the callbacks that are due.
    void turn();
    void deliver_mail();
    void call_iterate();
    void take_commands(std::vector<wire::Message>& mail);
    void take_report_requests(std::vector<wire::Message>& mail);
    void publish_report();
    void publish_load();
    const std::string& node() const;
    void publish_status();
    void note_published(std::string_view key);
    void note_error(const Error& error);
    void note(const Result<void>& result);
    void end();
    std::string own_variable(std::string_view suffix) const;
    void report_missing_broker();
    void report_long_callbacks(Duration took);

    Loop& loop_;
    ProcessProbe& probe_;
    Log& log_;
    AppSettings settings_;
    Parameters parameters_;
    App* app_ = nullptr;
    std::move_only_function<void(const std::optional<Error>&)> ended_;

    std::optional<WarpedLoop> warped_;
    std::unique_ptr<AppComms> comms_;
    IterateSchedule schedule_{IteratePace{}};
    std::unique_ptr<Timer> wake_;
    std::unique_ptr<Timer> status_;
    std::unique_ptr<Timer> end_;
    bool pacing_ = false;
    bool reported_missing_broker_ = false;
    std::uint64_t refusals_ = 0;  ///< since the last connection
    bool ending_ = false;
    std::optional<Error> failure_;

    Instant started_{};
    double started_at_ = 0;  ///< UNIX seconds
    AppStatus app_status_;
    std::uint64_t errors_ = 0;

    AppCaster::Settings cast_settings_;
    AppCaster caster_{cast_settings_};
    std::move_only_function<std::string()> report_text_;  ///< empty: the app publishes no reports
    LoadReport load_;
    std::uint64_t iterations_ = 0;
    std::uint64_t overruns_reported_ = 0;
};

}  // namespace caribou::bus
