#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "bus/app_comms.hpp"
#include "bus/parameters.hpp"
#include "loop/time.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

class AppFrame;
struct AppSettings;

/// Base class of programs on the bus. Derive from it, override the callbacks you need, and pass the object to
/// run_app (kit/bus/app_main.hpp), or in a test to an AppFrame on a virtual loop. docs/apps.md is the guide.
///
/// An error returned by a callback is logged and sets AppErrorFlag in the status. All callbacks run on one
/// thread, and all methods must be called there. In a program of run_app the connection has a thread of its
/// own: while a callback runs, values are sent as they are notified, and mail is received for the next call
/// of on_new_mail.
class App {
public:
    explicit App(AppFrame& frame) : frame_(frame) {}
    virtual ~App() = default;
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    /// Called once, after the parameters have been filled in. Returning an error ends the program.
    virtual Result<void> on_start_up() { return {}; }
    /// Called after each successful connection to the broker; register variables here. Earlier registrations
    /// are repeated automatically after a reconnect.
    virtual Result<void> on_connect_to_server() { return {}; }
    /// Receives the mail that arrived since the last call: never empty, sorted by time stamp if
    /// SortMailByTime is set, otherwise in order of arrival.
    virtual Result<void> on_new_mail(std::span<const wire::Message> mail);
    virtual Result<void> iterate() { return {}; }
    /// Called for each message in `<APP>_CMD` if CatchCommandMessages is set.
    virtual void on_command_message(const wire::Message&) {}

protected:
    /// Returns the parameters of the app. Declare your own in the constructor.
    Parameters& parameters();
    const std::string& name() const;
    /// Returns the settings that every app has, from the mission file and the command line.
    const AppSettings& settings() const;
    /// Returns the app's time, which runs faster than real time under a time warp.
    Instant now() const;
    /// Returns the present time as values are stamped: UNIX seconds.
    double stamp() const;
    /// Returns whether a value was published after this app had started. The broker first delivers the latest
    /// value of each variable, which may be older: commands must not be carried out twice.
    bool is_new(const wire::Message& value) const;
    Log& log();
    /// Returns the connection to the broker. Must not be called before on_start_up.
    AppComms& comms();

    // Publishes a value. If the outbox is full, the value is dropped, logged, and counted as an error of the
    // app.
    void notify(std::string_view key, double value, const NotifyOptions& with = {});
    void notify(std::string_view key, std::string_view value, const NotifyOptions& with = {});
    void notify(std::string_view key, ByteView value, const NotifyOptions& with = {});
    void register_variable(std::string_view key, Duration interval = Duration::zero());
    void register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                           Duration interval = Duration::zero());
    void unregister_variable(std::string_view key);

    /// Makes the app publish reports in APPCAST, on request (docs/apps.md). `text` returns the lines of a
    /// report; it is called after iterate. Call this in the constructor.
    void appcast(std::move_only_function<std::string()> text);
    // Part of every report. An error that a callback returns counts as a run warning.
    void add_config_warning(std::string_view text);
    void add_run_warning(std::string_view text);
    void retract_run_warning(std::string_view text);
    void add_event(std::string_view text);

    /// Ends the program after the outbox has been flushed.
    void quit();

private:
    AppFrame& frame_;
};

}  // namespace caribou::bus
