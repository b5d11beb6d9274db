#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "msg/schema.hpp"

/// The contents of a `.msg` file, as ROS 2 defines them: one field or constant per line.
namespace caribou::msg {

/// A field as written in the file.
struct FileField {
    std::string name;
    FieldKind kind = FieldKind::message;
    ArrayKind array = ArrayKind::none;
    std::size_t size = 0;        ///< of a fixed array, or the bound of a bounded one
    std::size_t text_bound = 0;  ///< 0 if unbounded
    std::string package;         ///< of a nested message
    std::string message;         ///< name of a nested message
    double initial = 0;          ///< default of a number or bool
    std::size_t offset = 0;      ///< of its line in the file
};

/// An error at a place in the file.
struct FileFault {
    std::size_t offset = 0;
    std::string message;
};

/// Returns the fields of a message of `package`, in order. Constants are checked for their form only, and
/// defaults of texts and arrays are ignored.
std::expected<std::vector<FileField>, FileFault> read_message_file(std::string_view text,
                                                                   std::string_view package);

/// Returns whether the text is a name of a package, message or field: a letter, then letters, digits and _.
bool is_message_name(std::string_view text);

}  // namespace caribou::msg
