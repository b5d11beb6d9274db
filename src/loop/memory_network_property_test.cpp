#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;

/// Returns the byte at a position of an endless sequence in which neighboring bytes and blocks differ.
std::byte byte_at(std::size_t place) { return static_cast<std::byte>((place * 31 + place / 251) & 0xff); }

/// One end of a stream. Sends a prefix of the endless sequence, and checks what it reads against it.
class Talker final : public StreamEvents {
public:
    explicit Talker(const Clock& clock, std::vector<std::string>& trace, char name)
        : clock_(clock), trace_(trace), name_(name) {}

    void start(std::unique_ptr<Stream> stream) {
        stream_ = std::move(stream);
        stream_->attach(*this);
        send();
    }
    void stop() { stream_.reset(); }
    bool stands() const { return stream_ != nullptr; }
    void say(std::size_t bytes) {
        to_send += bytes;
        if (stream_) send();
    }
    void set_reading(bool reading) {
        if (stream_) stream_->set_reading(reading);
    }

    void on_open() override { note("open", 0); }
    void on_readable() override {
        std::byte buffer[100];
        const auto size = stream_->read(buffer);
        if (!size) {
            end = size.error().code;
            note("end", 0);
            return;
        }
        note("read", *size);
        for (std::size_t i = 0; i < *size; ++i) in_order &= buffer[i] == byte_at(received++);
    }
    void on_writable() override { send(); }
    void on_connect_failed(const Error& why) override { note(std::string(to_string(why.code)), 0); }

    std::size_t to_send = 0;
    std::size_t sent = 0;
    std::size_t received = 0;
    bool in_order = true;
    std::optional<Code> end;

private:
    void send() {
        Bytes text(std::min<std::size_t>(to_send - sent, 3000));
        for (std::size_t i = 0; i < text.size(); ++i) text[i] = byte_at(sent + i);
        const std::size_t half = text.size() / 2;
        const ByteView pieces[] = {ByteView(text).first(half), ByteView(text).subspan(half)};
        const auto taken = stream_->write(pieces);
        if (!taken) return;
        sent += *taken;
        note("took", *taken);
        if (*taken == text.size() && sent < to_send) send();
    }
    void note(const std::string& what, std::size_t bytes) {
        trace_.push_back(
            fmt::format("{} {} {} {}", clock_.now().time_since_epoch().count(), name_, what, bytes));
    }

    const Clock& clock_;
    std::vector<std::string>& trace_;
    char name_;
    std::unique_ptr<Stream> stream_;
};

Faults any_faults(Random& random) {
    Faults faults;
    faults.min_delay = Duration(random.below(2) * random.below(1'000'000));
    faults.max_delay = faults.min_delay + Duration(random.below(2) * random.below(50'000'000));
    faults.split_reads = random.chance(0.5);
    faults.stream_buffer = random.below(1000) + 1;
    return faults;
}

/// Two hosts connected by a network whose faults, partitions and pauses are generated from a seed.
struct Conversation {
    explicit Conversation(std::uint64_t seed) : random(seed), network(loop, seed, any_faults(random)) {
        listener = *network.on_host("b")->listen(
            Address::ip("0.0.0.0", 1),
            [this](std::unique_ptr<Stream> stream) { b.start(std::move(stream)); });
        a.start(network.on_host("a")->connect(Address::ip("b", 1), a));
    }

    void disturb() {
        switch (random.below(8)) {
            case 0: network.partition("a", "b"); break;
            case 1: network.heal("a", "b"); break;
            case 2: a.set_reading(random.chance(0.5)); break;
            case 3: b.set_reading(random.chance(0.5)); break;
            case 4: a.say(random.below(2000)); break;
            case 5: b.say(random.below(2000)); break;
            case 6: network.set_faults(any_faults(random)); break;
            default: loop.advance(Duration(random.below(100'000'000))); break;
        }
    }

    void settle() {
        network.set_faults({});
        network.heal("a", "b");
        a.set_reading(true);
        b.set_reading(true);
        loop.advance(1min);
    }

    VirtualLoop loop;
    Random random;
    std::vector<std::string> trace;
    MemoryNetwork network;
    Talker a{loop.clock(), trace, 'a'};
    Talker b{loop.clock(), trace, 'b'};
    std::unique_ptr<Listener> listener;
};

/// Lets the two connect without faults, then injects them.
void talk(Conversation& talk, int disturbances) {
    talk.loop.advance(1s);
    for (int i = 0; i < disturbances; ++i) talk.disturb();
}

RC_GTEST_PROP(MemoryNetwork, DeliversAllBytesInOrderUnderAnyFaults, (std::uint64_t seed)) {
    Conversation both(seed);
    talk(both, 40);
    RC_ASSERT(both.a.in_order && both.b.in_order);
    RC_ASSERT(both.a.received <= both.b.sent);
    RC_ASSERT(both.b.received <= both.a.sent);
    both.settle();
    RC_ASSERT(both.b.stands());
    RC_ASSERT(both.a.in_order && both.b.in_order);
    RC_ASSERT(both.a.received == both.b.to_send);
    RC_ASSERT(both.b.received == both.a.to_send);
    RC_ASSERT(both.loop.idle());
}

RC_GTEST_PROP(MemoryNetwork, DeliversAllBytesBeforeTheEndUnderAnyFaults, (std::uint64_t seed)) {
    Conversation both(seed);
    talk(both, 30);
    both.a.stop();
    for (int i = 0; i < 10; ++i) both.disturb();
    both.settle();
    RC_ASSERT(both.b.in_order);
    RC_ASSERT(both.b.received == both.a.sent);
    RC_ASSERT(both.b.end == Code::closed);
    RC_ASSERT(both.loop.idle());
}

RC_GTEST_PROP(MemoryNetwork, DeliversABeginningInOrderWhenResetOrCrashed, (std::uint64_t seed, bool crash)) {
    Conversation both(seed);
    talk(both, 30);
    if (crash)
        both.network.crash("a");
    else
        both.network.reset("a", "b");
    for (int i = 0; i < 10; ++i) both.disturb();
    both.settle();
    RC_ASSERT(both.b.in_order);
    RC_ASSERT(both.b.received <= both.a.sent);
    RC_ASSERT(both.b.end == (crash ? std::nullopt : std::optional(Code::unreachable)));
}

RC_GTEST_PROP(MemoryNetwork, DoesTheSameFromTheSameSeed, (std::uint64_t seed)) {
    const auto trace_of = [](std::uint64_t from) {
        Conversation both(from);
        talk(both, 40);
        both.settle();
        return both.trace;
    };
    const auto trace = trace_of(seed);
    // In parentheses, so that a difference is not printed in full.
    RC_ASSERT((trace == trace_of(seed)));
    RC_ASSERT((trace != trace_of(seed + 1)));
}

}  // namespace
}  // namespace caribou
