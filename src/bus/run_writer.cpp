#include "bus/run_writer.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

/// Unused blocks beyond this number are released.
constexpr std::size_t kept_blocks = 16;

}  // namespace

void RunWriter::begin(ByteView raw, const wire::MessageView& message, std::string_view community) {
    make_room(wire::size_with_community(message, community));
    append(raw, message, community);
    const ByteView head = wire::head_of(raw, message);
    head_.assign(head.begin(), head.end());
    const ByteView stored =
        newest().subspan(wire::head_offset, head.size() - message.community.size() + community.size());
    stored_head_.assign(stored.begin(), stored.end());
}

void RunWriter::begin_similar(ByteView raw) {
    make_room(wire::size_with_head(raw, head_.size(), stored_head_.size()));
    append_similar(raw);
}

void RunWriter::make_room(std::size_t size) {
    check(size <= block_size, "a message of a run fits into a block");
    if (block_ && sharable_ && is_free(block_)) end_ = 0;
    if (!block_ || !sharable_ || block_size - end_ < size) take_block();
    begin_ = newest_ = end_;
    count_ = 0;
}

/// The first free block is taken, so that few blocks are in use and stay in the cache.
void RunWriter::take_block() {
    end_ = 0;
    while (blocks_.size() > kept_blocks && is_free(blocks_.back()) && blocks_.back() != block_)
        blocks_.pop_back();
    const auto found = std::ranges::find_if(blocks_, [this](const SharedBytes& b) { return is_free(b); });
    sharable_ = found != blocks_.end() || blocks_.size() < max_blocks;
    if (found != blocks_.end()) {
        block_ = *found;
    } else if (sharable_) {
        block_ = blocks_.emplace_back(std::make_shared<Bytes>(block_size));
    } else if (!block_ || block_.use_count() > 1) {
        block_ = std::make_shared<Bytes>(block_size);
    }
}

bool RunWriter::append(ByteView raw, const wire::MessageView& message, std::string_view community) {
    const std::size_t size = wire::size_with_community(message, community);
    if (block_size - end_ < size) return false;
    wire::store_with_community(block_->data() + end_, raw, message, community);
    advance(size);
    return true;
}

MessageRun RunWriter::run() const {
    return {sharable_ ? &block_ : nullptr, ByteView(*block_).subspan(begin_, end_ - begin_), count_};
}

}  // namespace caribou::bus
