#include "loop/memory_datagram.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace caribou {

Result<std::unique_ptr<MemoryDatagram>> MemoryDatagram::bind(std::shared_ptr<MemoryFabric> fabric,
                                                             std::string host, const Address& at,
                                                             Task on_packet) {
    std::unique_ptr<MemoryDatagram> socket(new MemoryDatagram(fabric, host, std::move(on_packet)));
    auto place = fabric->claim(host, at, *socket);
    if (!place) return fail(std::move(place.error()));
    socket->place_ = std::move(*place);
    socket->address_ = at;
    socket->address_.port = socket->place_.port;
    return socket;
}

MemoryDatagram::MemoryDatagram(std::shared_ptr<MemoryFabric> fabric, std::string host, Task on_packet)
    : fabric_(std::move(fabric)),
      host_(std::move(host)),
      on_packet_(std::make_shared<Task>(std::move(on_packet))),
      bell_(fabric_->loop(), [this] { notify(); }) {}

MemoryDatagram::~MemoryDatagram() { fabric_->leave(place_, *this); }

Result<void> MemoryDatagram::send(const Address& to, ByteView packet) {
    if (packet.size() > max_packet)
        return fail(Code::limit_exceeded, limit_reached("max_packet", packet.size(), max_packet, "bytes"));
    if (to.kind == Address::Kind::ip && to.port == 0)
        return fail(
            Code::invalid_argument,
            fmt::format("cannot send to {}: port 0 is not valid; expected 1 to 65535", to_string(to)));
    if (vanished_) return {};

    const Faults& faults = fabric_->faults();
    Random& random = fabric_->random();
    const Place place = fabric_->place_of(host_, to);
    if (faults.loss > 0 && random.chance(faults.loss)) return {};
    const int copies = faults.duplication > 0 && random.chance(faults.duplication) ? 2 : 1;
    for (int copy = 0; copy < copies; ++copy) {
        Duration delay = fabric_->draw_delay();
        if (faults.reordering > 0 && random.chance(faults.reordering)) delay += faults.max_delay;
        fabric_->launch({host_, seen_from(place.host), place, Bytes(packet.begin(), packet.end())}, delay);
    }
    return {};
}

Result<std::optional<Datagram::Received>> MemoryDatagram::receive(std::span<std::byte> into) {
    auto packet = waiting_.pop();
    if (!packet) return std::nullopt;
    progressed_ = true;
    const std::size_t size = std::min(into.size(), packet->bytes.size());
    std::ranges::copy(std::span(packet->bytes).first(size), into.begin());
    return Received{std::move(packet->from), size};
}

void MemoryDatagram::deliver(Packet packet) {
    // A full inbox drops the new packet, as an operating system's socket does.
    static_cast<void>(waiting_.push(std::move(packet)));
    bell_.ring();
}

void MemoryDatagram::vanish() {
    vanished_ = true;
    while (waiting_.pop()) {}
}

void MemoryDatagram::notify() {
    if (waiting_.size() == 0) return;
    const auto alive = bell_.alive();
    const auto task = on_packet_;
    progressed_ = false;
    (*task)();
    if (!*alive || waiting_.size() == 0) return;
    if (progressed_)
        bell_.ring();
    else
        bell_.ring_later();
}

/// Returns the address at which `host` reaches this socket.
Address MemoryDatagram::seen_from(const std::string& host) const {
    if (address_.kind == Address::Kind::unix_socket) return address_;
    if (host != host_) return Address::ip(host_, address_.port);
    if (address_.host == "0.0.0.0") return Address::ip("127.0.0.1", address_.port);
    if (address_.host == "::") return Address::ip("::1", address_.port);
    return address_;
}

}  // namespace caribou
