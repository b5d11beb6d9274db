#include "caribou/program_as_started.hpp"

#include "platform/text_file.hpp"

namespace caribou::app {

std::string program_as_started() {
    const auto words = read_text_file("/proc/self/cmdline");
    const std::string first = words ? words->substr(0, words->find('\0')) : "";
    return first.find('/') == std::string::npos ? "caribou" : first;
}

}  // namespace caribou::app
