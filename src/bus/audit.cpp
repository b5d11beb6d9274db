#include "bus/audit.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace caribou::bus {
namespace {

std::uint64_t per_second(std::uint64_t now, std::uint64_t before, double seconds) {
    // The counters of a client that reconnected start at zero again.
    const auto passed = static_cast<double>(now >= before ? now - before : now);
    return static_cast<std::uint64_t>(passed / std::max(seconds, 1e-3));
}

}  // namespace

std::string AuditTable::next(const std::vector<const Connection*>& clients, double seconds) {
    std::string text =
        fmt::format("{:<20} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11} {:>14}\n", "client", "pkts in", "pkts out",
                    "msgs in", "msgs out", "B/s in", "B/s out", "total B");
    std::map<std::string, Traffic, std::less<>> now;
    for (const Connection* client : clients) {
        const Traffic& t = client->traffic;
        const auto known = before_.find(client->name());
        const Traffic b = known == before_.end() ? Traffic{} : known->second;
        fmt::format_to(std::back_inserter(text), "{:<20} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11} {:>14}\n",
                       client->name(), per_second(t.packets_in, b.packets_in, seconds),
                       per_second(t.packets_out, b.packets_out, seconds),
                       per_second(t.messages_in, b.messages_in, seconds),
                       per_second(t.messages_out, b.messages_out, seconds),
                       per_second(t.bytes_in, b.bytes_in, seconds),
                       per_second(t.bytes_out, b.bytes_out, seconds), t.bytes_in + t.bytes_out);
        now.emplace(client->name(), t);
    }
    before_ = std::move(now);
    return text;
}

std::vector<std::string_view> cut_at_lines(std::string_view text, std::size_t most) {
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        std::string_view piece = text.substr(0, most);
        const std::size_t end = piece.rfind('\n');
        if (piece.size() < text.size() && end != std::string_view::npos) piece = piece.substr(0, end + 1);
        pieces.push_back(piece);
        text.remove_prefix(piece.size());
    }
    return pieces;
}

Audit::Audit(Loop& loop, const Broker& broker, std::uint16_t port)
    : loop_(loop),
      broker_(broker),
      to_(Address::ip("127.0.0.1", port)),
      timer_(loop.make_timer([this] { send(); })),
      last_(loop.clock().now()) {
    timer_->arm(last_ + period);
}

Result<std::unique_ptr<Audit>> Audit::start(Loop& loop, Network& network, const Broker& broker,
                                            std::uint16_t port) {
    std::unique_ptr<Audit> audit(new Audit(loop, broker, port));
    // Replies are not expected: incoming datagrams are read and discarded.
    auto socket = network.bind(Address::ip("127.0.0.1", 0), [raw = audit.get()] {
        std::byte ignored[1];
        if (raw->socket_) std::ignore = raw->socket_->receive(ignored);
    });
    if (!socket) return fail(std::move(socket.error()));
    audit->socket_ = std::move(*socket);
    return audit;
}

void Audit::send() {
    const Instant now = loop_.clock().now();
    const std::string text = table_.next(broker_.clients(), to_seconds(now - last_));
    // A send error is ignored: there may be no receiver.
    for (const std::string_view piece : cut_at_lines(text, max_datagram))
        std::ignore = socket_->send(to_, bytes_of(piece));
    last_ = now;
    timer_->arm(now + period);
}

}  // namespace caribou::bus
