#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"

/// The file in which a broker persists its variables. The format is described in docs/formats/journal.md.
namespace caribou::wire {

/// One variable as stored in a journal.
struct JournalValue {
    std::uint32_t number;  ///< of the variable: assigned consecutively, starting over after a clear
    double written;        ///< timestamp of its last write, by the broker's clock
    std::uint64_t writes;
    ByteView message;  ///< the latest message, serialized

    static constexpr std::uint32_t max_number = 0xffff'fffe;
};

/// Returns the bytes with which every journal begins.
ByteView journal_header();

enum class JournalSeal : bool {
    open,
    sealed,  ///< the batch was already durable when its file came into use
};

/// Serializes one batch: values that take effect together or not at all.
class JournalBatch {
public:
    explicit JournalBatch(std::uint64_t number, JournalSeal seal = JournalSeal::open);

    /// Adds a record that discards all earlier values.
    void clear();
    void add(const JournalValue& value);
    std::size_t size() const { return bytes_.size(); }
    /// Ends the batch and returns its bytes. The last call.
    Bytes finish();

    /// A frame is closed once its body reaches this size. A damaged byte loses at most one frame.
    static constexpr std::size_t frame_size = 64_KiB;

private:
    void open_frame();
    void close_frame(bool last);
    void make_room();

    const std::uint64_t number_;
    const JournalSeal seal_;
    Bytes bytes_;
    std::size_t frame_begin_ = 0;
    std::uint32_t frame_index_ = 0;
};

/// The contents of a journal. The messages refer to the bytes that were read.
struct JournalContents {
    struct Damage {
        std::size_t offset;
        std::size_t size;
        friend bool operator==(const Damage&, const Damage&) = default;
    };

    std::vector<JournalValue> values;  ///< the latest of each variable
    std::uint64_t next_batch = 0;
    std::size_t end = 0;            ///< of the last valid batch; the remains of a crash may follow
    std::vector<Damage> damages{};  ///< damaged ranges before `end`
};

/// Reads a journal, however truncated or damaged, and recovers what it can. Fails only if the file has
/// another format version.
Result<JournalContents> read_journal(ByteView file);

}  // namespace caribou::wire
