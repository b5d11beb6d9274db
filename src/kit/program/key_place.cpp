#include "kit/program/key_place.hpp"

#include <array>
#include <filesystem>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "platform/environment.hpp"
#include "platform/local_token.hpp"
#include "platform/random_bytes.hpp"
#include "platform/system_clock.hpp"

namespace caribou::app {
namespace {

std::filesystem::path default_folder() {
    if (const auto keys = environment("CARIBOU_KEYS"); keys && !keys->empty()) return *keys;
    return folder_of_user("XDG_CONFIG_HOME", ".config") / "caribou" / "keys";
}

}  // namespace

CLI::Option* KeyPlace::add_to(CLI::App& parser) {
    return parser.add_option("--keys", given_,
                             "Folder of the keys (else $CARIBOU_KEYS, else ~/.config/caribou/keys)");
}

KeyFolder KeyPlace::folder(const std::string& configured) const {
    const std::string& told = given_.empty() ? configured : given_;
    return KeyFolder(told.empty() ? default_folder() : std::filesystem::path(told));
}

link::PairedKey new_key_for(const std::string& name, link::Role role) {
    std::array<std::byte, link::SecretKey::size> bytes{};
    fill_with_random_bytes(bytes);
    const auto now = static_cast<std::time_t>(SystemClock().unix_seconds());
    return {name, role, fmt::format("{:%FT%TZ}", fmt::gmtime(now)), link::SecretKey(bytes)};
}

std::string state_file(const std::string& robot, const std::string& link_record, std::string_view suffix) {
    const std::filesystem::path folder =
        link_record.empty() ? state_folder_of_user() : std::filesystem::path(link_record).parent_path();
    return folder / (robot + std::string(suffix));
}

}  // namespace caribou::app
