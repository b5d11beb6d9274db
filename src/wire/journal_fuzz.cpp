// Reads arbitrary bytes as a journal, and as the records of a journal with valid checksums. The values read
// must be complete messages within the input; reading only up to the end of the last batch must give the same
// values; and writing them to a new journal must preserve them.

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "wire/codec.hpp"
#include "wire/journal.hpp"
#include "wire/journal_frame.hpp"

namespace {

using namespace caribou;
using namespace caribou::wire;

bool same_values(const JournalContents& a, const JournalContents& b) {
    return std::ranges::equal(a.values, b.values, [](const JournalValue& x, const JournalValue& y) {
        return x.number == y.number && x.writes == y.writes && std::ranges::equal(x.message, y.message);
    });
}

void read(ByteView file) {
    const auto contents = read_journal(file);
    if (!contents) return;
    check(contents->end <= file.size(), "a journal ends within its file");
    for (const JournalValue& value : contents->values) {
        check(value.message.data() >= file.data() &&
                  value.message.data() + value.message.size() <= file.data() + file.size(),
              "a value stands in the file");
        check(decode_message(value.message).has_value(), "a value is a message");
    }
    if (contents->damages.empty()) {
        const auto cut = read_journal(file.first(contents->end));
        check(cut && cut->end == contents->end && same_values(*cut, *contents), "the tail does not count");
    }
    JournalBatch batch(0, JournalSeal::sealed);
    for (std::uint32_t number = 0; const JournalValue& value : contents->values)
        batch.add({number++, value.written, value.writes, value.message});
    Bytes again(journal_header().begin(), journal_header().end());
    append(again, batch.finish());
    const auto reread = read_journal(again);
    check(reread && reread->damages.empty() && reread->end == again.size(), "what was written is whole");
    check(reread->values.size() == contents->values.size(), "what was written is read");
}

/// Returns a journal that consists of one frame with these records.
Bytes with_records(ByteView records) {
    Bytes file(journal_header().begin(), journal_header().end());
    file.resize(file.size() + FrameHead::size_on_disk);
    FrameHead{.size = static_cast<std::uint32_t>(records.size()),
              .last = true,
              .checksum = journal_checksum(records)}
        .store(file.data() + journal_header().size());
    append(file, records);
    return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ByteView input = std::as_bytes(std::span(data, size));
    read(input);
    read(with_records(input));
    return 0;
}
