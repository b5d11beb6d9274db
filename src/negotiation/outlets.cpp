#include "negotiation/outlets.hpp"

#include <algorithm>
#include <utility>

namespace caribou::negotiation {

void Outlet::on_reader_joined(const Peer& reader) {
    readers.insert(reader.id);
    // Copied, because the callback may remove this type.
    const auto on_matched = options.on_matched;
    const std::size_t peers = readers.size();
    on_readers_();
    if (on_matched) on_matched(peers);
}

void Outlet::on_reader_gone(const Peer& reader) {
    readers.erase(reader.id);
    if (const auto on_matched = options.on_matched) on_matched(readers.size());
}

Outlets::Outlets(Loop& loop, Transport& transport, std::string base, const Limits& limits)
    : loop_(loop), transport_(transport), base_(std::move(base)), limits_(limits) {
    limit_ = loop_.make_timer([this] { finish(); });
}

Outlet& Outlets::add(TypeKey key, const TopicQos& qos, TypeOptions options, const void* tag) {
    outlets_.push_back(
        std::make_unique<Outlet>(std::move(key), qos, std::move(options), tag, [this] { proceed(); }));
    return *outlets_.back();
}

void Outlets::add_compatible(TypeKey key, Writer& writer) {
    add(std::move(key), {}, {}, nullptr).compatible = &writer;
}

void Outlets::remove(const TypeKey& key) {
    next_.erase(key);
    std::erase_if(outlets_, [&](const auto& outlet) { return outlet->key == key; });
}

Outlet* Outlets::find(const TypeKey& key) {
    const auto found = std::ranges::find(outlets_, key, [](const auto& outlet) { return outlet->key; });
    return found == outlets_.end() ? nullptr : found->get();
}

Outlet* Outlets::find_tag(const void* tag) {
    for (const auto& outlet : outlets_)
        if (outlet->tag == tag) return outlet.get();
    return nullptr;
}

Result<void> Outlets::change_to(const std::vector<TypeKey>& keys, std::size_t expected) {
    std::vector<std::pair<Outlet*, std::unique_ptr<Writer>>> made;
    for (const TypeKey& key : keys) {
        Outlet& outlet = *find(key);
        if (outlet.writer || outlet.compatible != nullptr) continue;
        auto writer = transport_.advertise({topic_of(key), key.ros_type_name}, outlet.qos, outlet);
        if (!writer) return fail(std::move(writer.error()));
        made.emplace_back(&outlet, std::move(*writer));
    }
    for (auto& [outlet, writer] : made) {
        outlet->readers.clear();
        outlet->writer = std::move(writer);
    }
    next_ = {keys.begin(), keys.end()};
    expected_ = expected;
    // If no type is dropped, there is no subscription to wait for.
    const bool drops = std::ranges::any_of(
        outlets_, [this](const auto& outlet) { return outlet->is_active && !next_.contains(outlet->key); });
    // A switch is complete at once if all are connected to the new types already.
    if (!drops || is_ready()) {
        cut();
    } else if (!std::exchange(switching_, true)) {
        limit_->arm(loop_.clock().now() + limits_.switch_limit);
    }
    return {};
}

void Outlets::close() {
    next_.clear();
    switching_ = false;
    limit_->cancel();
    for (const auto& outlet : outlets_) {
        outlet->is_active = false;
        outlet->writer.reset();
    }
}

void Outlets::proceed() {
    if (switching_ && is_ready()) finish();
}

void Outlets::expect(std::size_t expected) {
    expected_ = expected;
    proceed();
}

bool Outlets::is_ready() const {
    if (may_complete_ && !may_complete_()) return false;
    std::size_t readers = 0;
    for (const auto& outlet : outlets_)
        if (next_.contains(outlet->key)) readers += outlet->readers.size();
    return readers >= expected_;
}

void Outlets::finish() {
    cut();
    if (on_complete_) on_complete_();
}

void Outlets::cut() {
    switching_ = false;
    limit_->cancel();
    for (const auto& outlet : outlets_) {
        // Its first message is a new one, not one that was published as another type already.
        if (!outlet->is_active) outlet->last_stamp = stamp_;
        outlet->is_active = next_.contains(outlet->key);
        if (!outlet->is_active) outlet->writer.reset();
    }
}

/// Returns the stamp for the next message of a type. Messages published in succession on several types have
/// the same content, so they get the same stamp: a subscription that switches types uses it to detect which
/// ones it has already received.
WallTime Outlets::stamp_for(Outlet& outlet) {
    if (outlet.last_stamp >= stamp_)
        stamp_ = std::max<WallTime>(std::chrono::floor<std::chrono::microseconds>(loop_.clock().wall()),
                                    stamp_ + std::chrono::microseconds(1));
    return outlet.last_stamp = stamp_;
}

}  // namespace caribou::negotiation
