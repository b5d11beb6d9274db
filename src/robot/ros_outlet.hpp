#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "negotiation/transport.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::robot {

/// A published topic and its readers.
class RosOutlet final : public negotiation::WriterEvents {
public:
    /// `keeps`: the latest message is kept for late joiners. `transport` must outlive the outlet.
    static Result<std::unique_ptr<RosOutlet>> open(negotiation::Transport& transport, std::string topic,
                                                   std::string type, bool keeps) {
        auto made = std::make_unique<RosOutlet>();
        const auto durability =
            keeps ? negotiation::Durability::transient_local : negotiation::Durability::volatile_;
        auto writer = transport.advertise({std::move(topic), std::move(type)},
                                          {.durability = durability, .depth = 1}, *made);
        if (!writer) return fail(std::move(writer.error()));
        made->writer_ = std::move(*writer);
        return made;
    }

    void on_reader_joined(const negotiation::Peer& reader) override { readers_.insert(reader.id); }
    void on_reader_gone(const negotiation::Peer& reader) override { readers_.erase(reader.id); }
    bool is_read() const { return !readers_.empty(); }

    /// `stamp` is in seconds since 1970.
    template <class Message>
    void write(Message message, double stamp) {
        // If the write fails, the next round is newer anyway.
        std::ignore = writer_->write(negotiation::make_sample(
            std::make_shared<const Message>(std::move(message)), WallTime(from_seconds(stamp))));
    }

private:
    std::unique_ptr<negotiation::Writer> writer_;
    std::set<negotiation::PeerId> readers_;
};

}  // namespace caribou::robot
