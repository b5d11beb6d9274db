#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "negotiation/transport.hpp"

/// The notes that writers and readers of topics exchange on the bus, as specified in
/// docs/formats/negotiation-on-the-bus.md.
namespace caribou::negotiation {

/// Metadata of every value of a writer's variable, sent as its aux text.
struct WriterNote {
    enum class Kind {
        hello,    ///< announces the writer
        welcome,  ///< to one reader: it is matched and receives all further samples
        again,    ///< to one reader: a sample that was kept for late joiners
        sample,
        bye,
    };

    Kind kind = Kind::hello;
    PeerId writer{};
    std::uint64_t sequence = 0;  ///< of this sample, or of the latest one if the note carries none
    TopicQos qos{};              ///< quality of service offered; the depth is not sent
    std::string type{};
    std::optional<PeerId> reader{};  ///< recipient, for welcome and again only

    friend bool operator==(const WriterNote&, const WriterNote&) = default;
};

/// Message from a reader to a writer, sent on the variable that the writer subscribes to.
struct ReaderNote {
    enum class Kind { join, leave };

    Kind kind = Kind::join;
    PeerId reader{};
    PeerId writer{};
    Durability durability = Durability::volatile_;

    friend bool operator==(const ReaderNote&, const ReaderNote&) = default;
};

/// Returns the note in its text form.
std::string to_text(const WriterNote& note);
std::string to_text(const ReaderNote& note);
/// Parses the text form. Returns an error that names the first word that is malformed.
Result<WriterNote> parse_writer_note(std::string_view text);
Result<ReaderNote> parse_reader_note(std::string_view text);

}  // namespace caribou::negotiation
