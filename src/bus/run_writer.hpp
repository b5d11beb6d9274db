#pragma once

#include <cstddef>
#include <vector>

#include "base/limits.hpp"
#include "bus/message_run.hpp"
#include "wire/head.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Encodes messages one after another into blocks of memory that outboxes can share, so that a run of
/// messages is delivered to each subscriber at once and, if it is long, without a copy. A block that is no
/// longer shared is used again.
class RunWriter {
public:
    RunWriter() = default;
    RunWriter(const RunWriter&) = delete;
    RunWriter& operator=(const RunWriter&) = delete;

    /// Begins a run with a message of at most block_size bytes with this community.
    void begin(ByteView raw, const wire::MessageView& message, std::string_view community);
    /// Appends a message. Returns false if the block has no room for it.
    bool append(ByteView raw, const wire::MessageView& message, std::string_view community);
    /// Returns the head (wire/head.hpp), as it was received, of the first message. Valid until the next
    /// begin().
    ByteView head() const { return head_; }
    /// Appends a message with this head, and gives it the community of the first message. Returns false if
    /// the block has no room for it.
    bool append_similar(ByteView raw);
    /// Begins the next run with a message with this head.
    void begin_similar(ByteView raw);

    /// Returns the run since begin(). Valid until the next begin().
    MessageRun run() const;
    /// Returns the last message that was appended.
    ByteView newest() const { return ByteView(*block_).subspan(newest_, end_ - newest_); }

    static constexpr std::size_t block_size = 64_KiB;
    /// Blocks that may exist at the same time. If all are referred to by outboxes, runs are copied, so that
    /// clients that do not read cannot keep more memory than this in addition to their backlog.
    static constexpr std::size_t max_blocks = 512;

private:
    bool is_free(const SharedBytes& block) const { return block.use_count() == (block == block_ ? 2 : 1); }
    void make_room(std::size_t size);
    void take_block();
    void advance(std::size_t size) {
        newest_ = end_;
        end_ += size;
        count_ += 1;
    }

    std::vector<SharedBytes> blocks_;
    SharedBytes block_;  ///< the current one
    bool sharable_ = false;
    Bytes head_;
    Bytes stored_head_;  ///< with the community
    std::size_t begin_ = 0;
    std::size_t newest_ = 0;
    std::size_t end_ = 0;
    std::size_t count_ = 0;
};

inline bool RunWriter::append_similar(ByteView raw) {
    const std::size_t size = wire::size_with_head(raw, head_.size(), stored_head_.size());
    if (block_size - end_ < size) return false;
    wire::store_with_head(block_->data() + end_, raw, head_.size(), stored_head_);
    advance(size);
    return true;
}

}  // namespace caribou::bus
