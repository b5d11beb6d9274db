#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "wire/message.hpp"

/// Log files of MOOS (.alog), as docs/formats/alog.md lays them out.
namespace caribou::wire {

/// Where the bytes of a value stand that has no place in a line.
struct AlogReference {
    std::string_view file;  ///< as the log names it
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    friend bool operator==(const AlogReference&, const AlogReference&) = default;
};

/// One value in a log. The fields stand in the log's text.
struct AlogEntry {
    double time = 0;  ///< seconds since the log's start
    std::string_view variable{};
    std::string_view source{};
    std::string_view aux{};
    DataType type = DataType::number;
    double number = -1;
    std::string_view text{};                   ///< the value as it stands in the line
    std::optional<AlogReference> reference{};  ///< where the value is, if not in the line

    friend bool operator==(const AlogEntry&, const AlogEntry&) = default;
};

/// One line of a log.
struct AlogLine {
    std::string_view raw;            ///< without its end
    std::optional<AlogEntry> entry;  ///< none: a comment, or nothing that makes sense
    bool is_comment = false;
};

/// Reads a log line by line, and takes what loggers in the wild write: blanks or tabs between
/// columns, either kind of line end, absolute times, marked types, a last line cut short. What makes no
/// sense is passed over and counted.
class AlogReader {
public:
    explicit AlogReader(std::string_view text) : text_(text) {}

    std::optional<AlogLine> next_line();
    /// The next value.
    std::optional<AlogEntry> next();

    /// UNIX seconds; none before its line has been read, or if the log does not tell.
    std::optional<double> log_start() const { return log_start_; }
    /// Lines so far that were neither comments, nor values, nor empty.
    std::uint64_t passed_over() const { return passed_over_; }
    /// How much of the text has been read.
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

/// The time of a log's last value, found from its end.
std::optional<double> alog_end(std::string_view text);

/// Writes a log. What is written waits in lines() and side() until it is taken from there.
class AlogWriter {
public:
    /// `name` is that of the files without .alog and .blog. The header is written.
    AlogWriter(std::string_view name, double log_start);

    void add(const MessageView& message);

    std::string_view lines() const { return lines_; }
    std::string_view side() const { return side_; }
    /// What waited has been taken.
    void clear();

private:
    void declare(std::string_view variable, DataType type, DataType looks_like);
    void add_reference(std::string_view bytes);

    std::string side_name_;
    double log_start_;
    std::string lines_;
    std::string side_;
    std::uint64_t side_offset_ = 0;  ///< of what comes next
    std::map<std::string, DataType, std::less<>> declared_;
};

}  // namespace caribou::wire
