#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "wire/message.hpp"

/// Log files of MOOS (.alog). The format is described in docs/formats/alog.md.
namespace caribou::wire {

/// The location of a value that cannot be written into a line, in a separate file.
struct AlogReference {
    std::string_view file;  ///< its name as written in the log
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    friend bool operator==(const AlogReference&, const AlogReference&) = default;
};

/// One value in a log. The views refer to the text of the log.
struct AlogEntry {
    double time = 0;  ///< seconds since the log's start
    std::string_view variable{};
    std::string_view source{};
    std::string_view aux{};
    DataType type = DataType::number;
    double number = -1;
    std::string_view text{};                   ///< the value as written in the line
    std::optional<AlogReference> reference{};  ///< the location of the value, if it is not in the line

    friend bool operator==(const AlogEntry&, const AlogEntry&) = default;
};

/// One line of a log.
struct AlogLine {
    std::string_view raw;            ///< without the line end
    std::optional<AlogEntry> entry;  ///< nullopt for a comment or a malformed line
    bool is_comment = false;
};

/// Reads a log line by line. Accepts the variants that existing loggers write: spaces or tabs between
/// columns, both kinds of line end, absolute times, type markers, a truncated last line. Malformed lines are
/// skipped and counted. The text must outlive the reader.
class AlogReader {
public:
    explicit AlogReader(std::string_view text) : text_(text) {}

    std::optional<AlogLine> next_line();
    /// Returns the next value, or nullopt at the end of the text.
    std::optional<AlogEntry> next();

    /// Returns the start of the log in UNIX seconds, or nullopt if no LOGSTART line has been read.
    std::optional<double> log_start() const { return log_start_; }
    /// Returns the number of lines so far that were neither comments, nor values, nor empty.
    std::uint64_t passed_over() const { return passed_over_; }
    /// Returns the number of bytes read so far.
    std::size_t offset() const { return offset_; }

private:
    void read_comment(std::string_view line);
    std::optional<AlogEntry> read_entry(std::string_view line) const;
    void read_value(std::string_view value, AlogEntry& entry) const;

    std::string_view text_;
    std::size_t offset_ = 0;
    std::optional<double> log_start_;
    bool types_are_marked_ = false;
    std::map<std::string_view, DataType> declared_;
    std::uint64_t passed_over_ = 0;
};

/// Returns the time of the last value in seconds since the start of the log, or nullopt if there is no value.
/// Searches from the end.
std::optional<double> alog_end(std::string_view text);

/// Returns a string that fits into a line, for people: without leading whitespace, line feeds as `\n`, NUL as
/// `\x00`, without carriage returns, and with a backslash in front if it looks like a reference. Backslashes
/// stay as they are.
std::string alog_line_text(std::string_view text);

/// Writes a log. The output accumulates in lines() (for the .alog file) and side() (for the .blog file) until
/// the caller has stored it and calls clear().
class AlogWriter {
public:
    /// What becomes of strings that do not fit into a line, such as those with line ends.
    enum class Awkward : std::uint8_t {
        aside,    ///< the value goes to side(), and the line refers to it
        escaped,  ///< it stays in the line, changed as by alog_line_text(); side() remains empty
    };

    /// How the files are named, and how values are written.
    struct Style {
        std::string ending = ".alog";
        std::string side_ending = ".blog";
        bool marks_types = false;        ///< `D:`, `S:` or `B:` in front of each value
        std::optional<int> decimals{};   ///< of numbers; nullopt: as many as they need
        std::optional<double> opened{};  ///< UNIX seconds of FILE OPENED ON; nullopt: the start of the log
    };

    /// Writes the header. `name` is the name of the files without their endings.
    AlogWriter(std::string_view name, double log_start, Awkward awkward = Awkward::aside)
        : AlogWriter(name, log_start, awkward, Style()) {}
    AlogWriter(std::string_view name, double log_start, Awkward awkward, Style style);

    /// A binary value needs a side file.
    void add(const MessageView& message);

    std::string_view lines() const { return lines_; }
    std::string_view side() const { return side_; }
    /// Discards the accumulated output, after it has been stored.
    void clear();

private:
    void declare(std::string_view variable, DataType type, DataType looks_like);
    void add_reference(std::string_view bytes);
    std::string number_text_of(double number) const;

    Style style_;
    std::string side_name_;
    double log_start_;
    Awkward awkward_;
    std::string lines_;
    std::string side_;
    std::uint64_t side_offset_ = 0;  ///< of the next value in the side file
    std::map<std::string, DataType, std::less<>> declared_;
};

}  // namespace caribou::wire
