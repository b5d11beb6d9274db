#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"

/// The bytes of the file in which a broker keeps its values, as docs/formats/journal.md lays them
/// out.
namespace caribou::wire {

/// One variable as a journal keeps it.
struct JournalValue {
    std::uint32_t number;  ///< of the variable: given one after another, anew after a clear
    double written;        ///< stamp of its last write, by the broker's clock
    std::uint64_t writes;
    ByteView message;  ///< the latest message, encoded

    static constexpr std::uint32_t max_number = 0xffff'fffe;
};

/// The bytes that every journal begins with.
ByteView journal_header();

enum class JournalSeal : bool {
    open,
    sealed,  ///< the batch was durable before its file came to count
};

/// Makes one batch: values that come to count together, or not at all.
class JournalBatch {
public:
    explicit JournalBatch(std::uint64_t number, JournalSeal seal = JournalSeal::open);

    /// What came before is forgotten.
    void clear();
    void add(const JournalValue& value);
    std::size_t size() const { return bytes_.size(); }
    /// Ends the batch and gives its bytes away.
    Bytes finish();

    /// A frame is closed once its body is as large as this. What a damaged byte costs is a frame.
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

/// What a journal holds. The messages stand in the bytes that were read.
struct JournalContents {
    struct Damage {
        std::size_t offset;
        std::size_t size;
        friend bool operator==(const Damage&, const Damage&) = default;
    };

    std::vector<JournalValue> values;  ///< the newest of each variable
    std::uint64_t next_batch = 0;
    std::size_t end = 0;            ///< what follows belongs to no whole batch: the tail of a crash
    std::vector<Damage> damages{};  ///< bytes before `end` that do not hold together
};

/// Reads every prefix of a journal, and whatever else it is given. Fails only for a file of
/// another version.
Result<JournalContents> read_journal(ByteView file);

}  // namespace caribou::wire
