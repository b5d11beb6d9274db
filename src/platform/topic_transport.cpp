#include "platform/topic_transport.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "negotiation/bus_transport.hpp"
#include "platform/dds_transport.hpp"

namespace caribou {
namespace {

using Kind = JsonNode::Kind;

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
    OverDds(std::unique_ptr<DdsParticipant> participant, EventLoop& loop)
        : participant_(std::move(participant)), transport_(*participant_, loop) {}
    negotiation::Transport& transport() override { return transport_; }

private:
    std::unique_ptr<DdsParticipant> participant_;
    DdsTransport transport_;
};

class SettingsReader {
public:
    explicit SettingsReader(FaultList& faults) : faults_(faults) {}

    TopicSettings read(const JsonNode& table) {
        static const std::vector<std::string> known{"transport", "domain", "insecure_lan", "interface",
                                                    "peers"};
        for (const JsonNode& item : table.items) {
            if (item.key == "transport")
                read_kind(item);
            else if (item.key == "domain")
                read_domain(item);
            else if (item.key == "insecure_lan")
                read_reach(item);
            else if (item.key == "interface" && item.is(Kind::text))
                settings_.dds.interface = item.text;
            else if (item.key == "peers" && item.is(Kind::list))
                read_peers(item);
            else if (item.key == "interface")
                complain(item, "`interface` is a text, such as \"eth0\"");
            else if (item.key == "peers")
                complain(item, "`peers` is a list of names or addresses of machines");
            else
                faults_.add({0, item.key_offset}, fmt::format("there is no `{}` in [topics]{}", item.key,
                                                              instead_of(item.key, known)));
        }
        if (const auto good = check_settings(settings_.dds); !good)
            complain(table, good.error().message + "; insecure_lan = true lets it go further");
        return std::move(settings_);
    }

private:
    void complain(const JsonNode& at, std::string what) { faults_.add({0, at.offset}, std::move(what)); }

    void read_kind(const JsonNode& item) {
        static const std::vector<std::string> kinds{"bus", "dds"};
        if (!item.is(Kind::text) || std::ranges::find(kinds, item.text) == kinds.end())
            return complain(item, fmt::format("`transport` is `bus` or `dds`{}",
                                              item.is(Kind::text) ? ", not `" + item.text + "`" : ""));
        settings_.kind = item.text == "dds" ? TopicSettings::Kind::dds : TopicSettings::Kind::bus;
    }
    void read_domain(const JsonNode& item) {
        if (!item.is(Kind::number) || item.number < 0 || item.number > DdsSettings::max_domain ||
            item.number != std::floor(item.number))
            return complain(item,
                            fmt::format("`domain` is a whole number from 0 to {}", DdsSettings::max_domain));
        settings_.dds.domain = static_cast<std::uint32_t>(item.number);
    }
    void read_reach(const JsonNode& item) {
        if (!item.is(Kind::truth)) return complain(item, "`insecure_lan` is true or false");
        settings_.dds.reach = item.truth ? DdsReach::lan : DdsReach::loopback;
    }
    void read_peers(const JsonNode& item) {
        for (const JsonNode& peer : item.items) {
            if (!peer.is(Kind::text))
                return complain(peer, "a peer is a text: the name or address of a machine");
            settings_.dds.peers.push_back(peer.text);
        }
    }

    FaultList& faults_;
    TopicSettings settings_;
};

}  // namespace

TopicSettings read_topic_settings(const JsonNode* table, FaultList& faults) {
    if (table == nullptr) return {};
    if (!table->is(Kind::object)) {
        faults.add({0, table->offset}, "`topics` is a table: write [topics]");
        return {};
    }
    return SettingsReader(faults).read(*table);
}

Result<std::unique_ptr<TopicTransport>> make_topic_transport(const TopicSettings& settings, EventLoop& loop,
                                                             Network& network,
                                                             const bus::ClientOptions& client) {
    if (settings.kind == TopicSettings::Kind::dds) {
        auto participant = DdsParticipant::open(settings.dds);
        if (!participant) return fail(std::move(participant.error()));
        return std::make_unique<OverDds>(std::move(*participant), loop);
    }
    auto bus = std::make_unique<OverBus>(loop, network, client);
    if (auto started = bus->start(); !started) return fail(std::move(started.error()));
    return bus;
}

}  // namespace caribou
