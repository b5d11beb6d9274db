#include "loop/memory_network.hpp"

#include <utility>

#include "base/check.hpp"
#include "loop/memory_datagram.hpp"
#include "loop/memory_fabric.hpp"
#include "loop/memory_stream.hpp"

namespace caribou {
namespace {

class MemoryListener final : public Listener {
public:
    MemoryListener(std::shared_ptr<MemoryFabric> fabric, std::shared_ptr<Acceptor> acceptor, Place place,
                   Address address)
        : fabric_(std::move(fabric)),
          acceptor_(std::move(acceptor)),
          place_(std::move(place)),
          address_(std::move(address)) {}
    ~MemoryListener() override { fabric_->leave(place_, acceptor_); }

    Address address() const override { return address_; }

private:
    std::shared_ptr<MemoryFabric> fabric_;
    std::shared_ptr<Acceptor> acceptor_;
    Place place_;
    Address address_;
};

/// The network as one host sees it.
class HostNetwork final : public Network {
public:
    HostNetwork(std::shared_ptr<MemoryFabric> fabric, std::string host)
        : fabric_(std::move(fabric)), host_(std::move(host)) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override {
        check(static_cast<bool>(on_accept), "a listener has a handler for its streams");
        auto acceptor = std::make_shared<Acceptor>(std::move(on_accept));
        auto place = fabric_->claim(host_, at, acceptor);
        if (!place) return fail(std::move(place.error()));
        Address address = at;
        address.port = place->port;
        return std::make_unique<MemoryListener>(fabric_, std::move(acceptor), std::move(*place),
                                                std::move(address));
    }

    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override {
        return MemoryStream::connect(fabric_, host_, to, events);
    }

    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override {
        check(static_cast<bool>(on_packet), "a packet socket has a handler");
        return MemoryDatagram::bind(fabric_, host_, at, std::move(on_packet));
    }

private:
    std::shared_ptr<MemoryFabric> fabric_;
    std::string host_;
};

}  // namespace

MemoryNetwork::MemoryNetwork(Loop& loop, std::uint64_t seed, Faults faults)
    : fabric_(std::make_shared<MemoryFabric>(loop, seed, faults)), own_(on_host(std::string(own_host))) {}

MemoryNetwork::~MemoryNetwork() = default;

Result<std::unique_ptr<Listener>> MemoryNetwork::listen(const Address& at, AcceptHandler on_accept) {
    return own_->listen(at, std::move(on_accept));
}

std::unique_ptr<Stream> MemoryNetwork::connect(const Address& to, StreamEvents& events) {
    return own_->connect(to, events);
}

Result<std::unique_ptr<Datagram>> MemoryNetwork::bind(const Address& at, Task on_packet) {
    return own_->bind(at, std::move(on_packet));
}

std::unique_ptr<Network> MemoryNetwork::on_host(std::string host) {
    check(!host.empty() && !Address::ip(host, 0).is_loopback(),
          "a host has a name that others can call it by");
    return std::make_unique<HostNetwork>(fabric_, std::move(host));
}

void MemoryNetwork::set_faults(Faults faults) { fabric_->set_faults(faults); }

void MemoryNetwork::partition(const std::string& a, const std::string& b) { fabric_->partition(a, b); }

void MemoryNetwork::heal(const std::string& a, const std::string& b) { fabric_->heal(a, b); }

void MemoryNetwork::crash(const std::string& host) { fabric_->crash(host); }

void MemoryNetwork::reset(const std::string& a, const std::string& b) { fabric_->reset(a, b); }

}  // namespace caribou
