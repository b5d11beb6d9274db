#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "base/result.hpp"
#include "bus/client.hpp"
#include "bus/parameters.hpp"
#include "loop/time.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

class AppFrame;

/// A program on the bus. Derive from it, override what you need, and hand it to run_app
/// (platform/app_main.hpp), or in a test to an AppFrame on a virtual loop. docs/apps.md is the guide.
///
/// An error that one of the calls returns is logged and shows as AppErrorFlag in the status.
class App {
public:
    explicit App(AppFrame& frame) : frame_(frame) {}
    virtual ~App() = default;
    App(const App&) = delete;
    App& operator=(const App&) = delete;

    /// Once, when the parameters have their values. An error ends the program.
    virtual Result<void> on_start_up() { return {}; }
    /// Whenever a connection to the broker stands: the place to register. (What was registered once
    /// is registered again by itself.)
    virtual Result<void> on_connect_to_server() { return {}; }
    /// With the mail since the last call, never empty, in order of its time stamps (SortMailByTime).
    virtual Result<void> on_new_mail(std::span<const wire::Message> mail);
    virtual Result<void> iterate() { return {}; }
    /// A message in `<APP>_CMD`, with CatchCommandMessages.
    virtual void on_command_message(const wire::Message&) {}

protected:
    /// To declare parameters, in the constructor.
    Parameters& parameters();
    const std::string& name() const;
    /// Time as the app sees it: under a time warp it runs faster.
    Instant now() const;
    /// UNIX seconds, as values are stamped.
    double stamp() const;
    Log& log();
    /// From on_start_up on.
    Client& comms();

    // What cannot be taken (the outbox is full) counts as an error of the app, and is logged.
    void notify(std::string_view key, double value, const NotifyOptions& with = {});
    void notify(std::string_view key, std::string_view value, const NotifyOptions& with = {});
    void notify(std::string_view key, ByteView value, const NotifyOptions& with = {});
    void register_variable(std::string_view key, Duration interval = Duration::zero());
    void register_wildcard(std::string_view app_pattern, std::string_view var_pattern,
                           Duration interval = Duration::zero());
    void unregister_variable(std::string_view key);

    /// Ends the program, in good order.
    void quit();

private:
    AppFrame& frame_;
};

}  // namespace caribou::bus
