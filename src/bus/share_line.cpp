#include "bus/share_line.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/fields.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

constexpr std::uint8_t content_version = 1;
enum class Part : std::uint8_t { piece = 1, acknowledgments = 2 };

constexpr std::size_t content_head = 1 + sizeof(ShareLine::Mark);
constexpr std::size_t piece_head = 1 + 4 + 2 + 2 + 2;
constexpr std::size_t most_acknowledgments = 64;  // in one content
constexpr std::size_t most_pieces = 64;
constexpr std::size_t most_partials = 32;
constexpr std::size_t most_complete = 1024;
constexpr std::size_t most_variables = 100'000;

}  // namespace

std::size_t ShareLine::piece_size() const { return settings_.largest_content - content_head - piece_head; }

std::size_t ShareLine::pieces_of(const Slot& slot) const {
    return (slot.message.size() + piece_size() - 1) / piece_size();
}

void ShareLine::put(Slot& slot, ByteView message) {
    by_number_.erase(slot.number);
    slot.message.assign(message.begin(), message.end());
    slot.number = ++number_;
    by_number_.emplace(slot.number, &slot);
    slot.order = order_++;
    slot.next_piece = 0;
    slot.acknowledged = false;
    slot.rounds = 0;
    slot.due = Instant::min();
}

bool ShareLine::offer(std::string_view name, int priority, ByteView message) {
    auto found = slots_.find(name);
    if (found == slots_.end()) found = slots_.emplace(name, Slot()).first;
    Slot& slot = found->second;
    slot.priority = priority;
    if (slot.next_piece > 0) {
        const bool replaces = slot.newer.has_value();
        slot.newer.emplace(message.begin(), message.end());
        return replaces;
    }
    if (slot.number == 0 || slot.acknowledged || slot.rounds > 0) {
        put(slot, message);
        return false;
    }
    const std::uint64_t order = slot.order;  // not sent yet: it keeps its place
    put(slot, message);
    slot.order = order;
    return true;
}

std::size_t ShareLine::waiting() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(slots_, [](const auto& one) { return !one.second.acknowledged; }));
}

std::vector<ShareLine::Slot*> ShareLine::due_slots(Instant now) {
    std::vector<Slot*> due;
    for (auto& [name, slot] : slots_)
        if (!slot.acknowledged && (slot.next_piece > 0 || slot.due <= now)) due.push_back(&slot);
    std::ranges::sort(
        due, {}, [](const Slot* slot) { return std::tuple(-slot->priority, slot->rounds > 0, slot->order); });
    return due;
}

bool ShareLine::fits(const Bytes& content, const Slot& slot) const {
    const std::size_t left = slot.message.size() - slot.next_piece * piece_size();
    return content.size() + piece_head + std::min(piece_size(), left) <= settings_.largest_content;
}

Duration ShareLine::pause_between_beacons(Instant now) const {
    if (answers(now)) return beacon_interval;
    if (settings_.bytes_per_second <= 0) return search_interval;
    const double size = static_cast<double>(content_head + settings_.overhead);
    return std::max(search_interval, from_seconds(std::min(30.0, 4 * size / settings_.bytes_per_second)));
}

Bytes ShareLine::new_content(const Mark& echo) {
    Bytes content;
    append_le(content, content_version);
    append(content, echo);
    return content;
}

void ShareLine::append_piece(Bytes& content, Slot& slot, Instant now) {
    const std::size_t pieces = pieces_of(slot);
    const std::size_t begin = slot.next_piece * piece_size();
    const std::size_t size = std::min(piece_size(), slot.message.size() - begin);
    append_le(content, static_cast<std::uint8_t>(Part::piece));
    append_le(content, slot.number);
    append_le(content, static_cast<std::uint16_t>(slot.next_piece));
    append_le(content, static_cast<std::uint16_t>(pieces));
    append_sized(content, text_of(ByteView(slot.message).subspan(begin, size)));
    if (++slot.next_piece < pieces) return;
    slot.next_piece = 0;
    ++(slot.rounds++ == 0 ? counts_.sent : counts_.repeated);
    Duration pause = std::min(longest_pause, first_pause * (1 << std::min(slot.rounds - 1, 3)));
    if (settings_.bytes_per_second > 0)
        pause =
            std::max(pause, from_seconds(4 * static_cast<double>(slot.message.size() + settings_.overhead) /
                                         settings_.bytes_per_second));
    slot.due = now + pause;
    if (slot.newer) put(slot, *std::exchange(slot.newer, std::nullopt));
}

void ShareLine::append_acknowledgments(Bytes& content) {
    const std::size_t room = (settings_.largest_content - content.size() - 2) / 4;
    const std::size_t count = std::min({to_acknowledge_.size(), most_acknowledgments, room});
    append_le(content, static_cast<std::uint8_t>(Part::acknowledgments));
    append_le(content, static_cast<std::uint8_t>(count));
    for (std::size_t i = 0; i < count; ++i) append_le(content, to_acknowledge_[i]);
    to_acknowledge_.erase(to_acknowledge_.begin(),
                          to_acknowledge_.begin() + static_cast<std::ptrdiff_t>(count));
    if (to_acknowledge_.empty()) acknowledge_at_.reset();
}

std::vector<Bytes> ShareLine::take(Instant now) {
    std::vector<Bytes> contents;
    const Mark echo = other_.value_or(Mark{});
    if (acknowledge_at_ && now >= *acknowledge_at_)
        while (!to_acknowledge_.empty()) {
            append_acknowledgments(contents.emplace_back(new_content(echo)));
            budget_.spend(contents.back().size() + settings_.overhead);
        }
    const std::vector<Slot*> due = answers(now) ? due_slots(now) : std::vector<Slot*>();
    auto next = due.begin();
    while (next != due.end() && static_cast<int>(contents.size()) < most_per_turn && budget_.allows(now)) {
        Bytes& content = contents.emplace_back(new_content(echo));
        budget_.spend(content.size() + settings_.overhead);
        do {
            const std::size_t before = content.size();
            append_piece(content, **next, now);
            budget_.spend(content.size() - before);
            if ((*next)->next_piece == 0) ++next;
        } while (next != due.end() && fits(content, **next) && budget_.allows(now));
    }
    if (settings_.calls && contents.empty() && now >= next_beacon_) {
        contents.push_back(new_content(echo));
        budget_.spend(contents.back().size() + settings_.overhead);
    }
    if (!contents.empty()) next_beacon_ = now + pause_between_beacons(now);
    return contents;
}

void ShareLine::on_other_end(const Mark& sender, Instant now) {
    const bool was_silent = !answers(now);
    heard_ = now;
    const bool is_new = other_ != sender;
    if (is_new) {
        other_ = sender;
        to_acknowledge_.clear();
        acknowledge_at_.reset();
        partials_.clear();
        complete_.clear();
        latest_.clear();
    }
    if (!is_new && !was_silent) return;
    // A new start of the other end has received nothing yet.
    for (auto& [name, slot] : slots_) {
        if (is_new) {
            slot.acknowledged = false;
            slot.next_piece = 0;
            if (slot.newer) put(slot, *std::exchange(slot.newer, std::nullopt));
        }
        slot.due = Instant::min();
        slot.rounds = std::min(slot.rounds, 1);
    }
}

ShareLine::Received ShareLine::receive(const Mark& sender, ByteView content, Instant now) {
    Received received;
    if (sender == settings_.own) return received;  // our own, sent back
    FieldReader from(content);
    const auto version = from.number<std::uint8_t>();
    const ByteView echo = from.bytes(settings_.own.size());
    if (!from.ok() || version != content_version) {
        ++counts_.malformed;
        return received;
    }
    if (!std::ranges::equal(echo, settings_.own)) {
        // Either the other end does not know us yet, or this is an old datagram: only a reply can show.
        received.reply = new_content(sender);
        return received;
    }
    received.is_live = true;
    on_other_end(sender, now);
    if (from.left() == 0 && !settings_.calls) received.reply = new_content(sender);
    while (from.ok() && from.left() > 0) {
        const auto part = static_cast<Part>(from.number<std::uint8_t>());
        if (part == Part::acknowledgments) {
            for (auto count = from.number<std::uint8_t>(); count > 0 && from.ok(); --count)
                on_acknowledged(from.number<std::uint32_t>());
        } else if (part == Part::piece) {
            const auto number = from.number<std::uint32_t>();
            const auto piece = from.number<std::uint16_t>();
            const auto pieces = from.number<std::uint16_t>();
            const ByteView bytes = from.sized();
            if (!from.ok() || piece >= pieces || pieces > most_pieces) break;
            on_piece(number, piece, pieces, bytes, received.messages);
            if (!acknowledge_at_ && !to_acknowledge_.empty()) acknowledge_at_ = now + acknowledge_after;
        } else {
            from.fail();
        }
    }
    if (from.left() > 0 || !from.ok()) ++counts_.malformed;
    return received;
}

void ShareLine::on_acknowledged(std::uint32_t number) {
    const auto found = by_number_.find(number);
    if (found == by_number_.end()) return;
    Slot& slot = *found->second;
    if (slot.acknowledged || slot.rounds == 0) return;
    slot.acknowledged = true;
    slot.next_piece = 0;
    ++counts_.acknowledged;
    if (slot.newer) put(slot, *std::exchange(slot.newer, std::nullopt));
}

void ShareLine::on_piece(std::uint32_t number, std::size_t piece, std::size_t pieces, ByteView bytes,
                         std::vector<Bytes>& messages) {
    if (complete_.contains(number)) {
        if (to_acknowledge_.empty() || to_acknowledge_.back() != number) to_acknowledge_.push_back(number);
        return;
    }
    if (pieces == 1) return on_message(number, Bytes(bytes.begin(), bytes.end()), messages);
    Partial& partial = partials_[number];
    if (partial.pieces.empty()) {
        partial.pieces.resize(pieces);
        partial.missing = pieces;
    }
    if (partial.pieces.size() != pieces) return;
    auto& place = partial.pieces[piece];
    if (!place) --partial.missing;
    place.emplace(bytes.begin(), bytes.end());
    if (partial.missing == 0) {
        Bytes message;
        for (const auto& one : partial.pieces) append(message, *one);
        partials_.erase(number);
        return on_message(number, std::move(message), messages);
    }
    if (partials_.size() > most_partials) partials_.erase(partials_.begin());
}

void ShareLine::on_message(std::uint32_t number, Bytes message, std::vector<Bytes>& messages) {
    to_acknowledge_.push_back(number);
    complete_.insert(number);
    if (complete_.size() > most_complete) complete_.erase(complete_.begin());
    const auto value = wire::decode_message(message);
    if (!value) {
        ++counts_.malformed;
        return;
    }
    const auto found = latest_.find(value->key);
    if (found == latest_.end()) {
        if (latest_.size() < most_variables) latest_.emplace(value->key, number);
    } else if (number <= found->second) {
        return;  // an older value that arrives late
    } else {
        found->second = number;
    }
    messages.push_back(std::move(message));
}

}  // namespace caribou::bus
