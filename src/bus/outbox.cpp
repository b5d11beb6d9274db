#include "bus/outbox.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/check.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {

Outbox::~Outbox() {
    pool_.give(std::move(waiting_.bytes));
    pool_.give(std::move(sealed_.bytes));
}

void Outbox::add(const SharedBytes& message) {
    if (waiting_.bytes.capacity() == 0) waiting_.bytes = pool_.take();
    if (message->size() >= share_from)
        waiting_.inserts.push_back({waiting_.bytes.size(), message});
    else
        append(waiting_.bytes, *message);
    waiting_count_ += 1;
    waiting_size_ += message->size();
}

void Outbox::add(const wire::MessageView& message) {
    if (waiting_.bytes.capacity() == 0) waiting_.bytes = pool_.take();
    wire::append_message(waiting_.bytes, message);
    waiting_count_ += 1;
    waiting_size_ += wire::encoded_size(message);
}

void Outbox::set_front(const wire::MessageView& message) {
    Bytes encoded = pool_.take();
    wire::append_message(encoded, message);
    check(encoded.size() <= front_.size(), "a front message is TIMING or NULL");
    front_size_ = encoded.size();
    std::ranges::copy(encoded, front_.begin());
    pool_.give(std::move(encoded));
}

void Outbox::seal() {
    check(!sending(), "one packet at a time");
    const std::size_t count = waiting_count_ + (front_size_ > 0 ? 1 : 0);
    prefix_size_ = wire::packet_header_size + front_size_;
    wire::store_packet_header(prefix_.data(), front_size_ + waiting_size_, count);
    std::copy_n(front_.begin(), front_size_, prefix_.begin() + wire::packet_header_size);
    front_size_ = 0;
    std::swap(waiting_, sealed_);  // sealed_ was empty
    sealed_size_ = prefix_size_ + waiting_size_;
    sent_ = 0;
    waiting_count_ = 0;
    waiting_size_ = 0;
}

std::size_t Outbox::gather(std::span<ByteView> pieces) const {
    std::size_t count = 0;
    std::size_t skip = sent_;
    const auto offer = [&](ByteView piece) {
        if (skip >= piece.size()) {
            skip -= piece.size();
        } else if (count < pieces.size()) {
            pieces[count++] = piece.subspan(skip);
            skip = 0;
        }
        return count < pieces.size();
    };
    if (!sending() || !offer(ByteView(prefix_).first(prefix_size_))) return count;
    const ByteView bytes(sealed_.bytes);
    std::size_t from = 0;
    for (const Insert& insert : sealed_.inserts) {
        if (!offer(bytes.subspan(from, insert.at - from)) || !offer(*insert.message)) return count;
        from = insert.at;
    }
    offer(bytes.subspan(from));
    return count;
}

void Outbox::sent(std::size_t size) {
    sent_ += size;
    check(sent_ <= sealed_size_, "not more can be sent than was gathered");
    if (sending()) return;
    pool_.give(std::move(sealed_.bytes));
    sealed_.bytes = {};
    sealed_.inserts.clear();
    if (sealed_.inserts.capacity() > 16) sealed_.inserts = {};
    sealed_size_ = sent_ = 0;
}

template <class Visit>
void Outbox::for_each_waiting(Visit visit) const {
    const ByteView bytes(waiting_.bytes);
    std::size_t at = 0;
    auto insert = waiting_.inserts.begin();
    while (at < bytes.size() || insert != waiting_.inserts.end()) {
        if (insert != waiting_.inserts.end() && insert->at == at) {
            visit(ByteView(*insert->message));
            ++insert;
        } else {
            const auto size = static_cast<std::size_t>(load_le<std::int32_t>(bytes.data() + at));
            visit(bytes.subspan(at, size));
            at += size;
        }
    }
}

/// Rebuilds the waiting messages from those for which keep(index) returns true.
template <class Keep>
std::size_t Outbox::keep_only(Keep keep) {
    const std::size_t before = waiting_count_;
    Batch kept{pool_.take(), {}};
    std::size_t index = 0;
    std::size_t count = 0;
    std::size_t size = 0;
    auto insert = waiting_.inserts.begin();
    for_each_waiting([&](ByteView message) {
        const bool shared = insert != waiting_.inserts.end() && insert->message->data() == message.data();
        if (keep(index++)) {
            if (shared)
                kept.inserts.push_back({kept.bytes.size(), insert->message});
            else
                append(kept.bytes, message);
            count += 1;
            size += message.size();
        }
        if (shared) ++insert;
    });
    pool_.give(std::exchange(waiting_.bytes, std::move(kept.bytes)));
    waiting_.inserts = std::move(kept.inserts);
    waiting_count_ = count;
    waiting_size_ = size;
    return before - count;
}

std::size_t Outbox::collapse() {
    // Two passes: the first one finds the index of the newest message of each variable.
    std::vector<ByteView> messages;
    messages.reserve(waiting_count_);
    for_each_waiting([&](ByteView message) { messages.push_back(message); });
    std::vector<bool> newest(messages.size(), false);
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = messages.size(); i-- > 0;) {
        const auto message = wire::decode_message(messages[i]);
        check(message.has_value(), "an outbox holds whole messages");
        newest[i] = message->id == wire::server_request_id || seen.insert(message->key).second;
    }
    return keep_only([&](std::size_t index) { return newest[index]; });
}

std::size_t Outbox::drop_oldest(std::size_t size) {
    std::size_t left = waiting_size_;
    std::size_t first_kept = 0;
    for_each_waiting([&](ByteView message) {
        if (left <= size || first_kept + 1 >= waiting_count_) return;
        left -= message.size();
        first_kept += 1;
    });
    return keep_only([&](std::size_t index) { return index >= first_kept; });
}

std::size_t Outbox::drop_waiting() {
    return keep_only([](std::size_t) { return false; });
}

}  // namespace caribou::bus
