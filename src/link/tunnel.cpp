#include "link/tunnel.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace caribou::link {

/// A pair of connected streams; each receives the bytes of the other.
class Tunnel::Joint {
public:
    Joint(Tunnel& tunnel, std::uint64_t number, std::unique_ptr<Stream> near)
        : tunnel_(tunnel), number_(number), near_(*this, far_), far_(*this, near_) {
        near_.stream = std::move(near);
        near_.stream->set_reading(false);  // until the other stream is connected
        near_.stream->attach(near_);
        far_.stream = tunnel_.ways_.far.connect(tunnel_.to_, far_);
    }

private:
    struct End final : StreamEvents {
        End(Joint& its, End& opposite) : joint(its), other(opposite) {}

        void on_open() override {
            joint.tunnel_.far_end_opened();
            other.stream->set_reading(true);
        }
        void on_readable() override { joint.carry(*this, other); }
        void on_writable() override { joint.go_on(*this, other); }
        void on_connect_failed(const Error& why) override {
            joint.tunnel_.far_end_failed(why);
            joint.end();
        }

        Joint& joint;
        End& other;
        std::unique_ptr<Stream> stream;
        Bytes waiting;       ///< to be written to this stream
        bool ended = false;  ///< end of input reached
    };

    void carry(End& from, End& to) {
        Bytes& room = tunnel_.scratch_;
        const auto size = from.stream->read(room);
        if (!size) {
            from.ended = true;
            from.stream->set_reading(false);
            if (to.waiting.empty()) end();
            return;
        }
        const ByteView read = ByteView(room).first(*size);
        const auto taken = to.stream->write({&read, 1});
        if (!taken) return end();
        if (*taken == read.size()) return;
        append(to.waiting, read.subspan(*taken));
        from.stream->set_reading(false);
    }

    void go_on(End& to, End& from) {
        const ByteView waiting = to.waiting;
        const auto taken = to.stream->write({&waiting, 1});
        if (!taken) return end();
        to.waiting.erase(to.waiting.begin(), to.waiting.begin() + static_cast<std::ptrdiff_t>(*taken));
        if (!to.waiting.empty()) return;
        if (from.ended) return end();
        from.stream->set_reading(true);
    }

    /// Must be the last call, because it destroys this object.
    void end() { tunnel_.remove(number_); }

    Tunnel& tunnel_;
    std::uint64_t number_;
    End near_;
    End far_;
};

Tunnel::Tunnel(Ways ways, Address to, Log& log)
    : ways_(ways), to_(std::move(to)), log_(log), scratch_(read_size) {}

Tunnel::~Tunnel() = default;

Result<Address> Tunnel::open(const Address& at) {
    auto listener =
        ways_.near.listen(at, [this](std::unique_ptr<Stream> stream) { accept(std::move(stream)); });
    if (!listener) return fail(std::move(listener.error()));
    listener_ = std::move(*listener);
    return listener_->address();
}

void Tunnel::accept(std::unique_ptr<Stream> stream) {
    if (joints_.size() >= max_connections) {
        log_.warning(limit_reached("max_connections", joints_.size() + 1, max_connections, "connections"));
        return;
    }
    const std::uint64_t number = next_++;
    joints_.emplace(number, std::make_unique<Joint>(*this, number, std::move(stream)));
}

void Tunnel::remove(std::uint64_t joint) { joints_.erase(joint); }

void Tunnel::far_end_opened() {
    if (!complaint_.empty()) log_.info(fmt::format("{} is reached again", to_string(to_)));
    complaint_.clear();
}

void Tunnel::far_end_failed(const Error& why) {
    if (complaint_ != why.message) log_.warning(why.message);
    complaint_ = why.message;
}

}  // namespace caribou::link
