#pragma once

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "wire/codec.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::sim {

/// Decodes one direction of an observed MOOS connection: takes bytes and returns packets and messages.
class Overheard {
public:
    enum class Speaker {
        client,  ///< starts with the greeting
        broker,
    };
    explicit Overheard(Speaker speaker) : greeting_left_(speaker == Speaker::client) {}

    /// Calls `on_step(const wire::PacketReader::Step&)` for every step except need_more; a message's fields
    /// are valid until it returns. Fails if the bytes are malformed.
    template <class OnStep>
    Result<void> hear(ByteView bytes, OnStep on_step) {
        append(rest_, bytes);
        ByteView left = rest_;
        if (greeting_left_) {
            if (left.size() < wire::greeting_size) return {};
            if (!wire::is_greeting(left.first(wire::greeting_size)))
                return fail(Code::malformed, "a connection does not begin with the greeting");
            left = left.subspan(wire::greeting_size);
            greeting_left_ = false;
        }
        for (;;) {
            const auto step = reader_.next(left);
            if (!step) return fail(step.error());
            if (step->kind == wire::PacketReader::Step::Kind::need_more) break;
            on_step(*step);
            left = left.subspan(step->consumed);
        }
        rest_.erase(rest_.begin(), rest_.end() - static_cast<std::ptrdiff_t>(left.size()));
        return {};
    }

private:
    bool greeting_left_;
    Bytes rest_;
    wire::PacketReader reader_{64_MiB};
};

}  // namespace caribou::sim
