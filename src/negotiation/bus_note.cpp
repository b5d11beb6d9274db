#include "negotiation/bus_note.hpp"

#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace caribou::negotiation {
namespace {

constexpr std::array writer_kinds{"hello", "welcome", "again", "sample", "bye"};
constexpr std::array reader_kinds{"join", "leave"};
constexpr std::array reliabilities{"best_effort", "reliable"};
constexpr std::array durabilities{"volatile", "transient_local"};

template <class Enum, std::size_t size>
const char* word_of(const std::array<const char*, size>& words, Enum value) {
    return words[static_cast<std::size_t>(value)];
}

std::string text_of(const PeerId& id) { return fmt::format("{:016x}.{}", id.high, id.low); }

/// Splits a note into words. Parsing fails at the first malformed word, which the error names.
class Words {
public:
    explicit Words(std::string_view text) : text_(text), rest_(text) {}

    std::string_view next() {
        const std::size_t blank = rest_.find(' ');
        const std::string_view word = rest_.substr(0, blank);
        rest_ = blank == std::string_view::npos ? std::string_view{} : rest_.substr(blank + 1);
        return word;
    }
    bool at_end() const { return rest_.empty(); }

    template <class Enum, std::size_t size>
    Enum one_of(const std::array<const char*, size>& words) {
        const std::string_view word = next();
        for (std::size_t i = 0; i < size; ++i)
            if (word == words[i]) return static_cast<Enum>(i);
        refuse(word);
        return {};
    }
    std::uint64_t number(std::string_view word, int base) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value, base);
        if (error != std::errc{} || end != word.data() + word.size()) refuse(word);
        return value;
    }
    std::uint64_t number() { return number(next(), 10); }
    PeerId peer() {
        const std::string_view word = next();
        const std::size_t dot = word.find('.');
        if (dot == std::string_view::npos) {
            refuse(word);
            return {};
        }
        return {number(word.substr(0, dot), 16), number(word.substr(dot + 1), 10)};
    }
    void refuse(std::string_view word) {
        if (outcome_)
            outcome_ =
                fail(Code::malformed, fmt::format("`{}` makes no sense in the note `{}`", word, text_));
    }
    const Result<void>& outcome() const { return outcome_; }

private:
    std::string_view text_;
    std::string_view rest_;
    Result<void> outcome_;
};

template <class Note>
Result<Note> finished(Words& words, Note note) {
    if (!words.at_end()) words.refuse(words.next());
    if (!words.outcome()) return fail(words.outcome().error());
    return note;
}

bool is_for_one(WriterNote::Kind kind) {
    return kind == WriterNote::Kind::welcome || kind == WriterNote::Kind::again;
}

}  // namespace

std::string to_text(const WriterNote& note) {
    std::string text = fmt::format(
        "{} {} {} {} {} {}", word_of(writer_kinds, note.kind), text_of(note.writer), note.sequence,
        word_of(reliabilities, note.qos.reliability), word_of(durabilities, note.qos.durability), note.type);
    if (note.reader) text += " " + text_of(*note.reader);
    return text;
}

std::string to_text(const ReaderNote& note) {
    return fmt::format("{} {} {} {}", word_of(reader_kinds, note.kind), text_of(note.reader),
                       text_of(note.writer), word_of(durabilities, note.durability));
}

Result<WriterNote> parse_writer_note(std::string_view text) {
    Words words(text);
    WriterNote note;
    note.kind = words.one_of<WriterNote::Kind>(writer_kinds);
    note.writer = words.peer();
    note.sequence = words.number();
    note.qos.reliability = words.one_of<Reliability>(reliabilities);
    note.qos.durability = words.one_of<Durability>(durabilities);
    note.type = words.next();
    if (note.type.empty()) words.refuse("");
    if (is_for_one(note.kind)) note.reader = words.peer();
    return finished(words, std::move(note));
}

Result<ReaderNote> parse_reader_note(std::string_view text) {
    Words words(text);
    ReaderNote note;
    note.kind = words.one_of<ReaderNote::Kind>(reader_kinds);
    note.reader = words.peer();
    note.writer = words.peer();
    note.durability = words.one_of<Durability>(durabilities);
    return finished(words, note);
}

}  // namespace caribou::negotiation
