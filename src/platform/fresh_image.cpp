#include "platform/fresh_image.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {

std::vector<std::string> words_as_started() {
    std::vector<std::string> words;
    std::ifstream line("/proc/self/cmdline", std::ios::binary);
    for (std::string word; std::getline(line, word, '\0');) words.push_back(word);
    return words;
}

Error start_fresh_image(const std::string& name, const std::string& value) {
    std::vector<std::string> words = words_as_started();
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (words.empty()) return {Code::unavailable, "the words that started the program cannot be read"};
    ::setenv(name.c_str(), value.c_str(), 1);
    ::execv("/proc/self/exe", arguments.data());
    return {Code::io, fmt::format("the program cannot be started anew: {}", system_words(errno))};
}

}  // namespace caribou
