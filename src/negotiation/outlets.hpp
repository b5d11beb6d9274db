#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "loop/loop.hpp"
#include "negotiation/limits.hpp"
#include "negotiation/transport.hpp"
#include "negotiation/type_key.hpp"

namespace caribou::negotiation {

enum class Published {
    sent,
    not_negotiated,  ///< no subscription needs this type: nothing was sent
};

/// Message counters of one type.
struct OutletCount {
    std::uint64_t sent = 0;
    std::uint64_t spared = 0;   ///< suppressed: published while the type was not negotiated
    std::uint64_t refused = 0;  ///< the transport's queue was full
};

/// The writer of one offered type.
class Outlet final : public WriterEvents {
public:
    Outlet(TypeKey of, TopicQos with, TypeOptions told, const void* as,
           std::move_only_function<void()> on_readers)
        : key(std::move(of)),
          qos(with),
          options(std::move(told)),
          tag(as),
          on_readers_(std::move(on_readers)) {}

    void on_reader_joined(const Peer& reader) override;
    void on_reader_gone(const Peer& reader) override;

    const TypeKey key;
    const TopicQos qos;
    const TypeOptions options;
    const void* const tag;           ///< identifies the C++ type with which it was added
    Writer* compatible = nullptr;    ///< writer of a compatible publisher; owned by the user
    std::unique_ptr<Writer> writer;  ///< null if the type is neither published nor about to be
    bool is_active = false;          ///< messages are sent
    std::set<PeerId> readers;
    WallTime last_stamp{};
    OutletCount count;

private:
    std::move_only_function<void()> on_readers_;
};

/// The data writers of a publisher. A switch loses and duplicates nothing: the writers of the new types exist
/// before the result is sent, and once all subscriptions have connected to them, the old types stop and the
/// new ones start at the same instant.
class Outlets {
public:
    Outlets(Loop& loop, Transport& transport, std::string base, const Limits& limits);

    Outlet& add(TypeKey key, const TopicQos& qos, TypeOptions options, const void* tag);
    /// Adds a type that is published through a writer of the user, which is never created or destroyed here.
    void add_compatible(TypeKey key, Writer& writer);
    void remove(const TypeKey& key);
    /// Return null if there is none.
    Outlet* find(const TypeKey& key);
    Outlet* find_tag(const void* tag);
    const std::vector<std::unique_ptr<Outlet>>& all() const { return outlets_; }

    std::string topic_of(const TypeKey& key) const { return base_ + "/" + key.supported_type_name; }

    /// Starts a switch to `keys`, which `expected` subscriptions will read. Fails, with nothing changed, if
    /// the transport cannot carry one of them.
    Result<void> change_to(const std::vector<TypeKey>& keys, std::size_t expected);
    void close();
    /// Sets a handler for the completion of a switch that took time. When it is called, the requested types
    /// are active and no others.
    void on_complete(std::move_only_function<void()> handler) { on_complete_ = std::move(handler); }
    bool is_switching() const { return switching_; }
    /// Sets a further condition for the completion of a switch, which is checked again by proceed().
    void may_complete(std::move_only_function<bool() const> condition) {
        may_complete_ = std::move(condition);
    }
    /// Completes the switch if all subscriptions have connected and the condition holds.
    void proceed();
    /// Changes the number of subscriptions that a switch waits for.
    void expect(std::size_t expected);

    /// Sends a sample if the type is active. `make_sample(stamp)` is called only in that case. Returns an
    /// error if the transport's queue is full.
    template <class MakeSample>
    Result<Published> write(Outlet& outlet, MakeSample make_sample) {
        if (!outlet.is_active) {
            ++outlet.count.spared;
            return Published::not_negotiated;
        }
        Writer& writer = outlet.compatible != nullptr ? *outlet.compatible : *outlet.writer;
        auto written = writer.write(make_sample(stamp_for(outlet)));
        if (!written) {
            ++outlet.count.refused;
            return fail(std::move(written.error()));
        }
        ++outlet.count.sent;
        return Published::sent;
    }

private:
    bool is_ready() const;
    void cut();
    void finish();
    WallTime stamp_for(Outlet& outlet);

    Loop& loop_;
    Transport& transport_;
    std::string base_;
    const Limits& limits_;
    std::vector<std::unique_ptr<Outlet>> outlets_;
    std::unique_ptr<Timer> limit_;
    std::move_only_function<void()> on_complete_;
    std::move_only_function<bool() const> may_complete_;
    std::set<TypeKey> next_;
    std::size_t expected_ = 0;
    bool switching_ = false;
    WallTime stamp_{};
};

}  // namespace caribou::negotiation
