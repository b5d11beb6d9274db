#include "cubes/cube_console.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "base/words.hpp"
#include "cubes/light_reader.hpp"
#include "loop/duration_text.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;

std::unexpected<Error> usage(std::string message) { return fail(Code::invalid_argument, std::move(message)); }

std::string seconds(Duration duration) { return fmt::format("{:.1f} s", to_seconds(duration)); }

/// Fast white flashes, to find the cube in a room.
LightPattern flash_pattern() {
    LightPattern pattern{.duration = 3s};
    pattern.leds.fill({.on_color = {255, 255, 255}, .on_time = 150ms, .off_time = 150ms});
    return pattern;
}

}  // namespace

/// A subscriber created by a command of the console.
class CubeConsole::Subscriber final : public CubeConnectionSubscriber {
public:
    Subscriber(std::string name, Tell& tell) : name_(std::move(name)), tell_(tell) {}

    CubeSubscription subscription;

    std::string_view cube_connection_debug_name() const override { return name_; }
    void connected_callback(ConnectionType type) override {
        tell_(fmt::format("{} callback: connected, {}", name_, to_string(type)));
    }
    void connection_failed_callback() override { tell_(name_ + " callback: the connection failed"); }
    void connection_lost_callback() override { tell_(name_ + " callback: the connection was lost"); }

private:
    std::string name_;
    Tell& tell_;
};

CubeConsole::CubeConsole(CubeSystem& cubes, ReadFile read_file, Tell tell)
    : cubes_(cubes), read_file_(std::move(read_file)), tell_(std::move(tell)) {}
CubeConsole::~CubeConsole() = default;

const std::vector<CubeCommand>& CubeConsole::commands() {
    static const std::vector<CubeCommand> all{
        {"scan", "look for cubes, without connecting"},
        {"list", "the cubes that were seen"},
        {"status", "connection, subscribers, countdown, lights and history"},
        {"subscribe NAME [background|interactable] [TIME]", "hold a cube, at most for the time"},
        {"unsubscribe NAME", "let it go"},
        {"connect [ADDRESS]", "connect by hand, behind the coordinator's back"},
        {"disconnect", "disconnect by hand, behind the coordinator's back"},
        {"prefer ADDRESS", "look for this cube first"},
        {"forget", "prefer none; the next cube to be connected becomes preferred"},
        {"flash", "blink white for three seconds"},
        {"lights FILE", "play a file of lights; `lights off` ends it"},
        {"trace", "the latest messages"},
        {"help", "these commands"},
    };
    return all;
}

Result<std::string> CubeConsole::run(std::string_view line) {
    Words words = words_in(line);
    if (words.empty()) return usage("a command is missing; `status` shows how things are");
    const std::string command = words.front();
    words.erase(words.begin());
    std::vector<std::string> known;
    for (const CubeCommand& one : commands()) {
        const Words parts = words_in(one.usage);
        known.push_back(parts.front());
        if (command != parts.front()) continue;
        const bool is_complete = words.size() + 1 >= parts.size() || parts[words.size() + 1].starts_with('[');
        if (words.size() < parts.size() && is_complete) return run(command, words);
        return usage(fmt::format("it is `{}`: {}", one.usage, one.about));
    }
    return usage(fmt::format("no command is called `{}`{}", command, instead_of(command, known)));
}

std::string CubeConsole::help() {
    std::string text;
    for (const CubeCommand& one : commands()) text += fmt::format("{:<50} {}\n", one.usage, one.about);
    return text;
}

Result<std::string> CubeConsole::run(const std::string& command, const Words& words) {
    if (command == "help") return help();
    if (command == "list") return list();
    if (command == "status") return status();
    if (command == "subscribe") return subscribe(words);
    if (command == "unsubscribe") return unsubscribe(words);
    if (command == "connect") return connect(words);
    if (command == "disconnect") return disconnect();
    if (command == "prefer") return prefer(words);
    if (command == "flash") return show(flash_pattern(), "the cube flashes");
    if (command == "lights") return lights(words);
    if (command == "trace") {
        std::string text;
        for (const TracedMessage& message : cubes_.comms.trace().messages())
            text += to_string(message) + "\n";
        return text.empty() ? "no message was exchanged\n" : text;
    }
    const auto done = command == "scan" ? cubes_.comms.look_around() : cubes_.comms.forget();
    if (!done) return fail(done.error());
    return command == "scan" ? "looking for cubes\n" : "no cube is preferred any more\n";
}

Result<std::string> CubeConsole::list() const {
    if (cubes_.comms.seen().empty()) return "no cube was seen\n";
    std::string text;
    for (const auto& [address, seen] : cubes_.comms.seen())
        text += fmt::format("{}  {:4} dBm  {}{}{}\n", to_string(address), seen.rssi, seen.name,
                            cubes_.comms.preferred() == address ? ", preferred" : "",
                            cubes_.comms.cube() == address ? ", connected" : "");
    return text;
}

Result<std::string> CubeConsole::status() const {
    const CoordinatorStatus status = cubes_.coordinator.status();
    const CubeCommsComponent& comms = cubes_.comms;
    std::string text = fmt::format("state        {}\n", to_string(status.state));
    if (status.countdown)
        text += fmt::format("countdown    {}: {}\n", status.countdown->what, seconds(status.countdown->left));
    text +=
        fmt::format("radio        {}, {}\n", comms.radio().name(), to_string(comms.radio().status().kind));
    text += fmt::format("link         {}", to_string(comms.link_state()));
    if (comms.cube()) text += fmt::format(" {}", to_string(*comms.cube()));
    if (comms.link_state() == LinkState::connected) text += fmt::format(", firmware {}", comms.version());
    text += fmt::format("\npreferred    {}\n", comms.preferred() ? to_string(*comms.preferred()) : "none");
    if (const auto volts = cubes_.sensing().volts())
        text +=
            fmt::format("battery      {:.2f} V{}\n", *volts, cubes_.sensing().battery_low() ? ", low" : "");
    text += "lights      ";
    for (const Color color : cubes_.lights.colors()) text += " " + to_string(color);
    if (const auto layer = cubes_.lights.showing()) text += fmt::format(", {} layer", to_string(*layer));
    text += "\n";
    for (const SubscriberStatus& one : status.subscribers)
        text += fmt::format("subscriber   {}, {}{}\n", one.name, to_string(one.type),
                            one.expires_in ? ", for " + seconds(*one.expires_in) : "");
    for (const Transition& transition : cubes_.coordinator.history())
        text += fmt::format("history      {}\n", to_string(transition));
    return text;
}

Result<std::string> CubeConsole::connect(const Words& words) {
    std::string warning;
    if (!cubes_.coordinator.connection() && cubes_.coordinator.state() != CoordinatorState::connecting)
        warning =
            "the coordinator treats this as an unexpected connection: held in the background, and released "
            "after its hold time without a subscription\n";
    Result<void> began;
    if (words.empty()) {
        began = cubes_.comms.connect();
    } else {
        const auto address = CubeAddress::parse(words[0]);
        if (!address) return fail(address.error());
        began = cubes_.comms.connect_to(*address);
    }
    if (!began) return fail(began.error());
    return warning + "connecting by hand\n";
}

Result<std::string> CubeConsole::disconnect() {
    if (cubes_.comms.link_state() == LinkState::idle)
        return fail(Code::wrong_state, "there is no link to disconnect");
    std::string warning;
    if (cubes_.coordinator.connection())
        warning =
            "the coordinator treats this as a lost connection: it drops every subscription and notifies each "
            "subscriber\n";
    else if (cubes_.coordinator.state() == CoordinatorState::connecting)
        warning =
            "the coordinator treats this as a failed attempt: it drops every subscription and notifies each "
            "subscriber\n";
    cubes_.comms.disconnect();
    return warning + "disconnecting by hand\n";
}

Result<std::string> CubeConsole::prefer(const Words& words) {
    const auto address = CubeAddress::parse(words[0]);
    if (!address) return fail(address.error());
    if (const auto saved = cubes_.comms.prefer(*address); !saved) return fail(saved.error());
    return fmt::format("{} is preferred now\n", to_string(*address));
}

Result<std::string> CubeConsole::show(const LightPattern& pattern, const std::string& what) {
    auto play = cubes_.lights.play(LightLayer::user, pattern);
    if (!play) return fail(play.error());
    play_ = std::move(*play);
    const bool is_connected = cubes_.comms.link_state() == LinkState::connected;
    return what + (is_connected ? "\n" : " as soon as one is connected\n");
}

Result<std::string> CubeConsole::lights(const Words& words) {
    const std::string& path = words[0];
    if (path == "off") {
        play_.stop();
        return "the lights of the user layer are off\n";
    }
    auto text = read_file_(path);
    if (!text) return fail(text.error());
    const auto pattern = read_lights({path, std::move(*text)});
    if (!pattern) return fail(Code::malformed, to_string(pattern.error()));
    return show(*pattern, "the cube plays " + path);
}

Result<std::string> CubeConsole::subscribe(const Words& words) {
    SubscribeOptions options;
    for (const std::string& word : std::span(words).subspan(1)) {
        const auto expires = duration_from(word);
        if (expires)
            options.expires_after = expires;
        else if (word == "background" || word == "interactable")
            options.type = word == "background" ? ConnectionType::background : ConnectionType::interactable;
        else
            return usage(
                fmt::format("`{}` is neither background, interactable nor a time such as 30s", word));
    }
    auto& subscriber = subscribers_[words[0]];
    if (!subscriber) subscriber = std::make_unique<Subscriber>(words[0], tell_);
    subscriber->subscription = cubes_.coordinator.subscribe(*subscriber, options);
    return fmt::format("{} subscribes, {}\n", words[0], to_string(options.type));
}

Result<std::string> CubeConsole::unsubscribe(const Words& words) {
    const auto found = subscribers_.find(words[0]);
    if (found == subscribers_.end()) {
        std::vector<std::string> names;
        for (const auto& [name, subscriber] : subscribers_) names.push_back(name);
        return fail(Code::not_found,
                    fmt::format("no subscriber is called `{}`{}", words[0], instead_of(words[0], names)));
    }
    subscribers_.erase(found);
    return words[0] + " has released its subscription\n";
}

}  // namespace caribou::cubes
