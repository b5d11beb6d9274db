#include "faults/raw_client.hpp"

#include <array>

#include "base/limits.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::tests {

RawClient::RawClient(Network& network, const Address& broker, Bytes first)
    : stream_(network.connect(broker, *this)), unsaid_(std::move(first)) {}

void RawClient::on_open() {
    standing_ = true;
    write();
}

void RawClient::say(ByteView bytes) {
    append(unsaid_, bytes);
    write();
}

void RawClient::write() {
    if (!standing_ || ended_ || unsaid() == 0) return;
    const ByteView rest = ByteView(unsaid_).subspan(taken_);
    const auto taken = stream_->write({&rest, 1});
    taken_ += taken.value_or(rest.size());  // a lost connection is reported to the reader
    if (unsaid() > 0) return;
    unsaid_.clear();
    taken_ = 0;
}

void RawClient::on_readable() {
    std::array<std::byte, 65536> room;
    const auto size = stream_->read(room);
    if (size) return append(received_, ByteView(room).first(*size));
    ended_ = true;
    stream_->set_reading(false);
}

std::vector<wire::Message> RawClient::heard() const {
    std::vector<wire::Message> all;
    wire::PacketReader reader(64_MiB);
    ByteView rest = received_;
    using Kind = wire::PacketReader::Step::Kind;
    for (auto step = reader.next(rest); step && step->kind != Kind::need_more; step = reader.next(rest)) {
        if (step->kind == Kind::message) all.push_back(wire::own(step->message));
        rest = rest.subspan(step->consumed);
    }
    return all;
}

bool RawClient::welcome() const {
    constexpr std::size_t type_at = wire::packet_header_size + 8;  // after length and id
    return received_.size() > type_at &&
           static_cast<char>(received_[type_at]) == static_cast<char>(wire::MessageType::welcome);
}

Bytes hello(std::string_view name) {
    const ByteView greeting = wire::greeting();
    Bytes bytes(greeting.begin(), greeting.end());
    append(bytes, wire::encode_packet(wire::MessageView{.type = wire::MessageType::data,
                                                        .data_type = wire::DataType::string,
                                                        .key = wire::asynchronous,
                                                        .payload = name}));
    return bytes;
}

Bytes value_packet(std::string_view key, std::string_view payload) {
    return wire::encode_packet(wire::MessageView{.type = wire::MessageType::notify,
                                                 .data_type = wire::DataType::binary,
                                                 .key = key,
                                                 .payload = payload});
}

}  // namespace caribou::tests
