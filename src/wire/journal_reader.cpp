#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "wire/codec.hpp"
#include "wire/journal.hpp"
#include "wire/journal_frame.hpp"

namespace caribou::wire {
namespace {

constexpr std::size_t nowhere = 0;  // never a record: a file begins with its header
constexpr std::size_t spare_numbers = 1'000'000;
constexpr std::size_t min_value_size = value_head_size + min_message_size;

/// A frame with valid checksums.
struct Frame {
    FrameHead head;
    std::size_t offset;

    std::size_t body() const { return offset + FrameHead::size_on_disk; }
    std::size_t end() const { return body() + head.size; }
};

class JournalReader {
public:
    explicit JournalReader(ByteView file) : file_(file) {}

    JournalContents read() {
        find_frames();
        choose_batches();
        for (const Frame& frame : frames_) apply(frame);
        collect();
        return std::move(contents_);
    }

private:
    /// Examines every byte once: where there is no valid header, searches for the next one; a damaged body is
    /// skipped.
    void find_frames() {
        const bool marked = text_of(file_).starts_with(journal_mark);
        std::size_t at = marked ? journal_mark.size() : next_head(0);
        if (!marked) note_gap(0, at);
        while (at < file_.size()) {
            const auto head = FrameHead::load(file_.subspan(at));
            if (!head) {
                const std::size_t next = next_head(at + 1);
                note_gap(at, next);
                at = next;
                continue;
            }
            const Frame frame{*head, at};
            if (frame.end() > file_.size()) return note_gap(at, file_.size());
            if (journal_checksum(file_.subspan(frame.body(), head->size)) == head->checksum)
                frames_.push_back(frame);
            else
                note_gap(at, frame.end());
            at = frame.end();
        }
    }

    std::size_t next_head(std::size_t from) const {
        const std::string_view text = text_of(file_);
        while ((from = text.find(FrameHead::mark, from)) != std::string_view::npos) {
            if (FrameHead::load(file_.subspan(from))) return from;
            from += 1;
        }
        return file_.size();
    }

    void note_gap(std::size_t begin, std::size_t end) {
        if (begin < end) contents_.damages.push_back({begin, end - begin});
    }

    /// A batch counts if it is complete. An incomplete batch that is followed by another was durable once and
    /// has been damaged since, so its remaining frames count as well. At the end of the file it is the result
    /// of a crash and is discarded.
    void choose_batches() {
        std::size_t kept = 0;
        for (std::size_t first = 0; first < frames_.size();) {
            std::size_t next = first;
            std::uint32_t expected = 0;
            while (next < frames_.size() && frames_[next].head.batch == frames_[first].head.batch)
                if (frames_[next++].head.index == expected) expected += 1;
            const Frame& last = frames_[next - 1];
            const bool whole = last.head.last && expected == last.head.index + 1;
            if (whole || last.head.sealed || next < frames_.size()) {
                kept = next;
                contents_.end = last.end();
                contents_.next_batch = last.head.batch + 1;
            }
            first = next;
        }
        frames_.resize(kept);
        std::erase_if(contents_.damages, [&](const auto& damage) { return damage.offset >= contents_.end; });
    }

    void apply(const Frame& frame) {
        for (std::size_t at = frame.body(); at < frame.end();) {
            const std::size_t left = frame.end() - at;
            if (left < record_head_size) return note_gap(at, frame.end());
            const auto length = load_le<std::uint32_t>(file_.data() + at);
            const auto number = load_le<std::uint32_t>(file_.data() + at + 4);
            if (number == clear_number && length == record_head_size) {
                latest_.clear();
            } else {
                // Numbers are assigned consecutively; gaps arise only from damaged records.
                const bool sound = length >= min_value_size && length <= left &&
                                   number < file_.size() / min_value_size + spare_numbers;
                if (!sound) return note_gap(at, frame.end());
                if (number >= latest_.size()) latest_.resize(number + 1, nowhere);
                latest_[number] = at;
            }
            at += length;
        }
    }

    void collect() {
        contents_.values.reserve(latest_.size());
        for (std::size_t number = 0; number < latest_.size(); ++number) {
            const std::size_t at = latest_[number];
            if (at == nowhere) continue;
            const std::byte* const record = file_.data() + at;
            const std::size_t length = load_le<std::uint32_t>(record);
            const ByteView message = file_.subspan(at + value_head_size, length - value_head_size);
            if (!is_one_message(message)) {
                note_gap(at, at + length);
                continue;
            }
            contents_.values.push_back({.number = static_cast<std::uint32_t>(number),
                                        .written = load_le<double>(record + 8),
                                        .writes = load_le<std::uint64_t>(record + 16),
                                        .message = message});
        }
    }

    static bool is_one_message(ByteView bytes) {
        return static_cast<std::size_t>(load_le<std::uint32_t>(bytes.data())) == bytes.size() &&
               decode_message(bytes).has_value();
    }

    ByteView file_;
    std::vector<Frame> frames_;
    std::vector<std::size_t> latest_;  ///< offset of the latest record of each variable
    JournalContents contents_;
};

}  // namespace

Result<JournalContents> read_journal(ByteView file) {
    constexpr std::string_view any_version = journal_mark.substr(0, journal_mark.size() - 1);
    JournalContents contents = JournalReader(file).read();
    const std::string_view text = text_of(file);
    if (contents.end == 0 && text.size() >= journal_mark.size() && text.starts_with(any_version) &&
        !text.starts_with(journal_mark))
        return fail(Code::malformed,
                    fmt::format("this journal is of version `{}`, and only version 1 can be read here",
                                text[any_version.size()]));
    return contents;
}

}  // namespace caribou::wire
