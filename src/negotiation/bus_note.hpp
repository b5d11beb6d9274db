#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "negotiation/transport.hpp"

/// What writers and readers of topics say to each other on the bus: docs/formats/negotiation-on-the-bus.md.
namespace caribou::negotiation {

/// Goes with every value of a writer's variable, as its aux text.
struct WriterNote {
    enum class Kind {
        hello,    ///< there is a writer
        welcome,  ///< to one reader: from now on it hears everything
        again,    ///< to one reader: a sample that was kept for it
        sample,
        bye,
    };

    Kind kind = Kind::hello;
    PeerId writer{};
    std::uint64_t sequence = 0;  ///< of the sample; else of the latest one
    TopicQos qos{};              ///< what it offers, but for the depth
    std::string type{};
    std::optional<PeerId> reader{};  ///< of welcome and again

    friend bool operator==(const WriterNote&, const WriterNote&) = default;
};

/// What a reader writes onto the variable of its own that a writer listens to.
struct ReaderNote {
    enum class Kind { join, leave };

    Kind kind = Kind::join;
    PeerId reader{};
    PeerId writer{};
    Durability durability = Durability::volatile_;

    friend bool operator==(const ReaderNote&, const ReaderNote&) = default;
};

std::string to_text(const WriterNote& note);
std::string to_text(const ReaderNote& note);
Result<WriterNote> parse_writer_note(std::string_view text);
Result<ReaderNote> parse_reader_note(std::string_view text);

}  // namespace caribou::negotiation
