#include "kit/program/key_place.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

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

Result<link::PairedKey> chosen_key(const KeyFolder& folder, const std::string& name) {
    if (!name.empty()) return folder.read(name);
    const auto entries = folder.all();
    if (!entries) return fail(entries.error());
    std::vector<std::string> names;
    for (const KeyFolder::Entry& entry : *entries)
        if (entry.key && entry.file == folder.file_of(entry.key->name)) names.push_back(entry.key->name);
    if (names.size() == 1) return folder.read(names.front());
    const std::string there =
        names.empty() ? "there is none" : fmt::format("there are {}", fmt::join(names, ", "));
    return fail(Code::not_found,
                fmt::format("which key of {}? Choose one with --key; {}", folder.path().string(), there));
}

std::string state_file(const std::string& robot, const std::string& link_record, std::string_view suffix) {
    const std::filesystem::path folder =
        link_record.empty() ? state_folder_of_user() : std::filesystem::path(link_record).parent_path();
    return folder / (robot + std::string(suffix));
}

}  // namespace caribou::app
