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
#include "bus/app_settings.hpp"
#include "bus/app_status.hpp"
#include "bus/client.hpp"
#include "bus/iterate_schedule.hpp"
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
class AppFrame {
public:
    /// All arguments and the app must outlive the frame.
    AppFrame(Loop& loop, Network& network, ProcessProbe& probe, Log& log, AppSettings settings);
    ~AppFrame();
    AppFrame(const AppFrame&) = delete;
    AppFrame& operator=(const AppFrame&) = delete;

    /// See configure() in bus/app_settings.hpp.
    Result<std::vector<std::string>> configure(const AppCommandLine& line, const Mission& mission) {
        return bus::configure(settings_, parameters_, line, mission);
    }
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
    Client& client() {
        check(client_ != nullptr, "an app talks to the bus from on_start_up on");
        return *client_;
    }
    std::uint64_t overruns() const { return schedule_.overruns(); }
    AppStatus status();

    // Used by App.
    template <class Value>
    void notify(std::string_view key, Value value, const NotifyOptions& with = {}) {
        if (auto pushed = client().notify(key, value, with); !pushed) return note_error(pushed.error());
        note_published(key);
    }
    void subscribed(std::string_view what, const Result<void>& result);
    void unsubscribed(std::string_view what, const Result<void>& result);

private:
    const Loop& pace_loop() const { return warped_ ? static_cast<const Loop&>(*warped_) : loop_; }
    Loop& pace_loop() { return warped_ ? static_cast<Loop&>(*warped_) : loop_; }

    void on_connected();
    void start_pace();
    /// Calls the callbacks that are due.
    void turn();
    void deliver_mail();
    void call_iterate();
    void take_commands(std::vector<wire::Message>& mail);
    void publish_status();
    void note_published(std::string_view key);
    void note_error(const Error& error);
    void note(const Result<void>& result);
    void end();
    std::string own_variable(std::string_view suffix) const;

    Loop& loop_;
    Network& network_;
    ProcessProbe& probe_;
    Log& log_;
    AppSettings settings_;
    Parameters parameters_;
    App* app_ = nullptr;
    std::move_only_function<void(const std::optional<Error>&)> ended_;

    std::optional<WarpedLoop> warped_;
    std::unique_ptr<Client> client_;
    IterateSchedule schedule_{IteratePace{}};
    std::unique_ptr<Timer> wake_;
    std::unique_ptr<Timer> status_;
    std::unique_ptr<Timer> end_;
    bool pacing_ = false;
    bool ending_ = false;
    std::optional<Error> failure_;

    Instant started_{};
    AppStatus telling_;
    std::uint64_t errors_ = 0;
    std::uint64_t overruns_told_ = 0;
};

}  // namespace caribou::bus
