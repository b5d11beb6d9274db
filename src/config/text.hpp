#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/schema.hpp"

namespace caribou::config {

/// Returns the value in the notation of the file: `0.5`, `true`, `"sim"`, `["lidar"]`.
std::string value_text(const Place& place);
/// Returns the type for the documentation, such as `whole number from 0 to 5`.
std::string type_text(const Key& key, const Place& place);
/// Returns the same for error messages, such as `a whole number from 0 to 5`.
std::string expected_text(const Key& key, const Place& place);

/// Returns the values as a file, with the origin of each as a comment. The lines are those of
/// Reader::lines().
std::string file_text(std::span<const Key> keys, std::span<const Place> places,
                      std::span<const std::size_t> lines, std::string_view path);

/// Returns one table per section for the documentation. The places are those of a default configuration. With
/// `commands`, a column shows what a command can set.
std::string page_text(std::span<const Key> keys, std::span<const Place> places, bool commands);

}  // namespace caribou::config
