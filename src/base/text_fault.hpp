#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caribou {

/// A file that was handed in, for who opens none.
struct NamedText {
    std::string name;  ///< as it stands in messages
    std::string text;

    friend bool operator==(const NamedText&, const NamedText&) = default;
};

/// Something wrong in a file. Lines and columns count from 1, columns in characters.
struct TextFault {
    std::string file;
    std::size_t line = 1;
    std::size_t column = 1;
    std::string message;

    friend bool operator==(const TextFault&, const TextFault&) = default;
};

/// `trees/robot.json:12:7: no class `qeue`; did you mean `queue`?`, as compilers write it.
std::string to_string(const TextFault& fault);
/// All of them, one a line.
std::string to_string(std::span<const TextFault> faults);

/// A place in one of several files.
struct TextPlace {
    std::size_t file = 0;    ///< its number among the files
    std::size_t offset = 0;  ///< in bytes

    friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

/// Collects what is wrong in some files. The files outlive it.
class FaultList {
public:
    /// More than `limit` faults are only counted.
    FaultList(std::span<const NamedText> files, std::size_t limit) : files_(files), limit_(limit) {}

    void add(TextPlace place, std::string message);
    bool empty() const { return count_ == 0; }
    /// The limit is reached: nobody will read another message.
    bool full() const { return count_ >= limit_; }
    /// Where it is, as in a message: `robot.json:12:7`.
    std::string describe(TextPlace place) const;
    /// In the order of the files and of the places in them. If there were more than the limit, the
    /// last one says how many.
    std::vector<TextFault> take();

private:
    TextFault located(TextPlace place, const std::string& message) const;

    std::span<const NamedText> files_;
    std::size_t limit_;
    std::size_t count_ = 0;
    std::multimap<TextPlace, std::string> found_;
};

}  // namespace caribou
