#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caribou {

/// Name and contents of a file, supplied by the caller so that parsers do not open files.
struct NamedText {
    std::string name;  ///< as shown in messages
    std::string text;

    friend bool operator==(const NamedText&, const NamedText&) = default;
};

/// An error in a file. Lines and columns count from 1; columns are counted in characters.
struct TextFault {
    std::string file;
    std::size_t line = 1;
    std::size_t column = 1;
    std::string message;

    friend bool operator==(const TextFault&, const TextFault&) = default;
};

/// Returns the fault in the format of compilers: `trees/robot.json:12:7: no class `qeue`; did you mean
/// `queue`?`.
std::string to_string(const TextFault& fault);
/// Returns all faults, one per line.
std::string to_string(std::span<const TextFault> faults);

/// A position in one of several files.
struct TextPlace {
    std::size_t file = 0;    ///< index in the list of files
    std::size_t offset = 0;  ///< in bytes

    friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

/// Collects the errors found in a set of files. The files must outlive it.
class FaultList {
public:
    /// Faults beyond `limit` are counted but not stored.
    FaultList(std::span<const NamedText> files, std::size_t limit) : files_(files), limit_(limit) {}

    /// An error that is listed already is not added again.
    void add(TextPlace place, std::string message);
    bool empty() const { return count_ == 0; }
    /// Returns true if the limit is reached, so that further checks are of no use.
    bool full() const { return count_ >= limit_; }
    /// Returns the position in the form used in messages: `robot.json:12:7`.
    std::string describe(TextPlace place) const;
    /// Returns the faults ordered by file and position, and clears the list. If there were more than the
    /// limit, a last entry gives the number of omitted ones.
    std::vector<TextFault> take();

private:
    TextFault located(TextPlace place, const std::string& message) const;

    std::span<const NamedText> files_;
    std::size_t limit_;
    std::size_t count_ = 0;
    std::multimap<TextPlace, std::string> found_;
};

}  // namespace caribou
