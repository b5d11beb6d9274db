#include "caribou/own_app.hpp"

#include <utility>

namespace caribou::app {

Exit run_own_app(std::vector<std::string> words, bus::AppSettings defaults, NetworkAppMaker make) {
    defaults.unknown_keys = bus::UnknownKeys::warn;
    words.insert(words.begin(), defaults.name);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return static_cast<Exit>(
        run_app(static_cast<int>(arguments.size()), arguments.data(), std::move(defaults), std::move(make)));
}

}  // namespace caribou::app
