#include "adapters/dds/topic_transport.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "adapters/dds/dds_transport.hpp"
#include "adapters/dds/mismatch_watch.hpp"
#include "negotiation/bus_transport.hpp"

namespace caribou {
namespace {

class OverBus final : public TopicTransport {
public:
    OverBus(EventLoop& loop, Network& network, const bus::ClientOptions& client)
        : transport_(loop, network, client) {}
    Result<void> start() { return transport_.start(); }
    negotiation::Transport& transport() override { return transport_; }

private:
    negotiation::BusTransport transport_;
};

class OverDds final : public TopicTransport {
public:
    OverDds(std::unique_ptr<DdsParticipant> participant, EventLoop& loop, Log& log)
        : loop_(loop),
          participant_(std::move(participant)),
          transport_(*participant_, loop, [&log](const std::string& text) { log.warning(text); }) {}
    negotiation::Transport& transport() override { return transport_; }
    void on_mismatches(std::function<void(const std::vector<std::string>&)> handler) override {
        watch_.emplace(loop_, *participant_, transport_, std::move(handler));
    }

private:
    EventLoop& loop_;
    std::unique_ptr<DdsParticipant> participant_;
    DdsTransport transport_;
    std::optional<MismatchWatch> watch_;
};

}  // namespace

Result<std::unique_ptr<TopicTransport>> make_topic_transport(const negotiation::TopicSettings& settings,
                                                             const std::string& name, EventLoop& loop,
                                                             Network& network, Log& log) {
    if (settings.transport == "dds") {
        negotiation::DdsSettings dds = settings.dds;
        dds.name = name;
        auto participant = DdsParticipant::open(dds);
        if (!participant) return fail(std::move(participant.error()));
        log.info(fmt::format("views over DDS in domain {}, {}", (*participant)->settings().domain,
                             reach_text(dds)));
        return std::make_unique<OverDds>(std::move(*participant), loop, log);
    }
    if (settings.transport == "bus") {
        bus::ClientOptions client;
        client.name = name;
        client.broker = settings.broker;
        auto bus = std::make_unique<OverBus>(loop, network, client);
        if (auto started = bus->start(); !started) return fail(std::move(started.error()));
        log.info(fmt::format("views over the bus at {}", to_string(settings.broker)));
        return bus;
    }
    return nullptr;
}

}  // namespace caribou
