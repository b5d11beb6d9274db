#include "caribou/key_place.hpp"

#include <cstdlib>
#include <filesystem>

namespace caribou::app {
namespace {

const char* setting(const char* name) {
    const char* const value = std::getenv(name);
    return value && *value ? value : nullptr;
}

std::filesystem::path default_folder() {
    if (const char* keys = setting("CARIBOU_KEYS")) return keys;
    if (const char* settings = setting("XDG_CONFIG_HOME"))
        return std::filesystem::path(settings) / "caribou" / "keys";
    const char* const home = setting("HOME");
    return std::filesystem::path(home ? home : ".") / ".config" / "caribou" / "keys";
}

}  // namespace

CLI::Option* KeyPlace::add_to(CLI::App& parser) {
    return parser.add_option("--keys", given_,
                             "Folder of the keys (else $CARIBOU_KEYS, else ~/.config/caribou/keys)");
}

KeyFolder KeyPlace::folder() const {
    return KeyFolder(given_.empty() ? default_folder() : std::filesystem::path(given_));
}

}  // namespace caribou::app
