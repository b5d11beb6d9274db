#pragma once

// An app under test on a virtual clock, with a broker controlled by the test.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/log.hpp"
#include "bus/app_frame.hpp"
#include "bus/client_rig.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::bus {

class FixedProbe final : public ProcessProbe {
public:
    ProcessUsage measure() override { return {.cpu_percent = 0.25, .memory_kb = 100, .memory_max_kb = 200}; }
};

/// Records its calls, and takes a configurable time for each.
class WitnessApp final : public App {
public:
    struct Call {
        Duration at;
        std::size_t mail = 0;        ///< number of messages; 0 for a call of iterate
        std::uint64_t overruns = 0;  ///< overruns counted before this call

        friend bool operator==(const Call&, const Call&) = default;
    };

    WitnessApp(AppFrame& frame, VirtualLoop& loop) : App(frame), frame_(frame), loop_(loop) {}

    Result<void> on_start_up() override {
        ++start_ups;
        return std::exchange(start_up_result, Result<void>());
    }
    Result<void> on_connect_to_server() override {
        ++connects;
        for (const std::string& key : variables) register_variable(key);
        return {};
    }
    Result<void> on_new_mail(std::span<const wire::Message> mail) override {
        note(mail.size());
        for (const wire::Message& message : mail) keys.push_back(message.key);
        if (on_mail_takes) loop_.take_time(on_mail_takes());
        return {};
    }
    Result<void> iterate() override {
        note(0);
        if (iterate_takes) loop_.take_time(iterate_takes());
        if (on_iterate) return on_iterate();
        return {};
    }
    void on_command_message(const wire::Message& message) override { commands.push_back(message.payload); }

    using App::add_config_warning;
    using App::add_event;
    using App::appcast;
    using App::is_new;
    using App::notify;
    using App::parameters;
    using App::quit;

    std::vector<Call> calls;
    std::vector<std::string> keys;
    std::vector<std::string> commands;
    std::vector<std::string> variables;
    int start_ups = 0;
    int connects = 0;
    Result<void> start_up_result;
    std::function<Result<void>()> on_iterate;
    std::function<Duration()> iterate_takes;
    std::function<Duration()> on_mail_takes;

private:
    void note(std::size_t mail) {
        calls.push_back({loop_.clock().now().time_since_epoch(), mail, frame_.overruns()});
    }

    AppFrame& frame_;
    VirtualLoop& loop_;
};

class AppRig {
public:
    explicit AppRig(AppSettings settings = {})
        : frame(loop, network, probe, log, named(std::move(settings))) {
        auto listening =
            network.listen(Address::ip("127.0.0.1", 9000), [this](std::unique_ptr<Stream> stream) {
                connections.push_back(std::make_unique<ScriptedConnection>(std::move(stream)));
            });
        check(listening.has_value(), "the port is free");
        listener = std::move(*listening);
    }

    /// Starts the app and accepts its connection.
    void connect() {
        check(frame.start(app).has_value(), "the app starts");
        welcome();
    }
    void welcome() {
        const std::size_t before = connections.size();
        loop.run_until([&] { return connections.size() > before && !broker().heard().empty(); },
                       std::chrono::seconds(5));
        broker().send(ClientRig::welcome());
        loop.run_ready();
        check(app.connects > 0, "the app is welcome");
    }
    ScriptedConnection& broker() { return *connections.back(); }
    /// Returns the messages that the app has published for a variable.
    std::vector<wire::Message> published(std::string_view key) {
        auto all = broker().messages(wire::MessageType::notify);
        std::erase_if(all, [&](const wire::Message& message) { return message.key != key; });
        return all;
    }

    MemoryLog log;
    VirtualLoop loop;
    MemoryNetwork network{loop};
    FixedProbe probe;
    std::unique_ptr<Listener> listener;
    std::vector<std::unique_ptr<ScriptedConnection>> connections;
    AppFrame frame;
    WitnessApp app{frame, loop};

private:
    static AppSettings named(AppSettings settings) {
        settings.name = "pTest";
        settings.server_host = "127.0.0.1";
        return settings;
    }
};

}  // namespace caribou::bus
