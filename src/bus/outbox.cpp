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

void Outbox::add(const MessageRun& run) {
    if (waiting_.bytes.capacity() == 0) waiting_.bytes = pool_.take();
    if (run.owner && run.messages.size() >= share_from)
        waiting_.inserts.push_back({waiting_.bytes.size(), *run.owner, run.messages});
    else
        append(waiting_.bytes, run.messages);
    waiting_count_ += run.count;
    waiting_size_ += run.messages.size();
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
        if (!offer(bytes.subspan(from, insert.at - from)) || !offer(insert.messages)) return count;
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
    const auto visit_all = [&](ByteView messages, const SharedBytes* owner) {
        while (!messages.empty()) {
            const auto size = static_cast<std::size_t>(load_le<std::int32_t>(messages.data()));
            visit(messages.first(size), owner);
            messages = messages.subspan(size);
        }
    };
    const ByteView bytes(waiting_.bytes);
    std::size_t from = 0;
    for (const Insert& insert : waiting_.inserts) {
        visit_all(bytes.subspan(from, insert.at - from), nullptr);
        visit_all(insert.messages, &insert.owner);
        from = insert.at;
    }
    visit_all(bytes.subspan(from), nullptr);
}

/// Rebuilds the waiting messages from those for which keep(index) returns true. Small messages of a shared
/// run are copied, so that they do not keep the whole run.
template <class Keep>
std::size_t Outbox::keep_only(Keep keep) {
    const std::size_t before = waiting_count_;
    Batch kept{pool_.take(), {}};
    std::size_t index = 0;
    std::size_t count = 0;
    std::size_t size = 0;
    for_each_waiting([&](ByteView message, const SharedBytes* owner) {
        if (!keep(index++)) return;
        if (owner && message.size() >= share_from)
            kept.inserts.push_back({kept.bytes.size(), *owner, message});
        else
            append(kept.bytes, message);
        count += 1;
        size += message.size();
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
    for_each_waiting([&](ByteView message, const SharedBytes*) { messages.push_back(message); });
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
    for_each_waiting([&](ByteView message, const SharedBytes*) {
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
