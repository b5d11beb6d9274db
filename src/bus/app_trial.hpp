#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/log.hpp"
#include "bus/app.hpp"
#include "bus/app_frame.hpp"
#include "loop/virtual_loop.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// A community in memory and in virtual time for testing apps: a broker, the app, and a client that writes
/// and reads values for the test.
///
///     AppTrial trial({.name = "pDepth", .app_tick = 10});
///     Depth app(trial.frame());
///     trial.start(app);
///     trial.write("PRESSURE", 20.1);
///     trial.advance(1s);
///     trial.latest("DEPTH")->value
class AppTrial {
public:
    explicit AppTrial(AppSettings settings);
    ~AppTrial();
    AppTrial(const AppTrial&) = delete;
    AppTrial& operator=(const AppTrial&) = delete;

    AppFrame& frame();
    VirtualLoop& loop();
    const MemoryLog& log() const;

    /// Starts the app and runs the loop until it is connected.
    Result<void> start(App& app);
    void advance(Duration time);
    /// Publishes a value, which is delivered before any time passes.
    void write(std::string_view key, double value);
    void write(std::string_view key, std::string_view value);
    /// Returns the latest value on the bus, from any writer, or nullopt if there is none.
    std::optional<wire::Message> latest(std::string_view key) const;

private:
    struct Community;
    std::unique_ptr<Community> community_;
};

}  // namespace caribou::bus
