#include "bus/app_trial.hpp"

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "bus/broker_server.hpp"
#include "loop/memory_network.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

class NoProbe final : public ProcessProbe {
public:
    ProcessUsage measure() override { return {}; }
};

AppSettings at_home(AppSettings settings) {
    settings.server_host = "127.0.0.1";
    return settings;
}

}  // namespace

struct AppTrial::Community {
    explicit Community(AppSettings settings)
        : frame(loop, network, probe, log, at_home(std::move(settings))),
          broker(loop, network, {.broker = {.community = "trial"}}, log),
          hand(loop, network, {.name = "hand"}) {
        const auto port = static_cast<std::uint16_t>(frame.settings().server_port);
        check(broker.listen(Address::ip("127.0.0.1", port)).has_value(), "the port is free");
        hand.on_other_mail([this](const wire::MessageView& message) {
            latest.insert_or_assign(std::string(message.key), wire::own(message));
        });
        check(hand.register_wildcard("*", "*").has_value() && hand.start().has_value(), "the hand starts");
        check(loop.run_until([this] { return hand.connected(); }, 1min), "the hand is connected");
    }

    VirtualLoop loop;
    MemoryLog log;
    MemoryNetwork network{loop};
    NoProbe probe;
    AppFrame frame;
    BrokerServer broker;
    Client hand;
    std::map<std::string, wire::Message, std::less<>> latest;
};

AppTrial::AppTrial(AppSettings settings) : community_(std::make_unique<Community>(std::move(settings))) {}
AppTrial::~AppTrial() = default;

AppFrame& AppTrial::frame() { return community_->frame; }
VirtualLoop& AppTrial::loop() { return community_->loop; }
const MemoryLog& AppTrial::log() const { return community_->log; }

Result<void> AppTrial::start(App& app) {
    if (auto started = frame().start(app); !started) return started;
    if (frame().settings().use_comms) loop().run_until([this] { return frame().comms().connected(); }, 1min);
    loop().run_ready();
    return {};
}

void AppTrial::advance(Duration time) { loop().advance(time); }

void AppTrial::write(std::string_view key, double value) {
    check(community_->hand.notify(key, value).has_value(), "the hand can write");
    loop().run_ready();
}
void AppTrial::write(std::string_view key, std::string_view value) {
    check(community_->hand.notify(key, value).has_value(), "the hand can write");
    loop().run_ready();
}

std::optional<wire::Message> AppTrial::latest(std::string_view key) const {
    const auto found = community_->latest.find(key);
    if (found == community_->latest.end()) return std::nullopt;
    return found->second;
}

}  // namespace caribou::bus
