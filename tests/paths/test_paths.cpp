#include "test_paths.hpp"

namespace caribou::tests {

std::string in_repository(std::string_view path) { return std::string(CARIBOU_SOURCE_DIR "/").append(path); }

std::string in_build(std::string_view path) { return std::string(CARIBOU_BUILD_DIR "/").append(path); }

}  // namespace caribou::tests
