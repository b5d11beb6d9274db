#include "robot/config_store.hpp"

#include <string_view>

#include "robot/robot_config.hpp"

namespace caribou::robot {
namespace {

std::string on_one_line(std::string_view lines) {
    std::string text;
    for (const char c : lines.substr(0, lines.find_last_not_of('\n') + 1))
        text += c == '\n' ? std::string("; ") : std::string(1, c);
    return text;
}

}  // namespace

Result<void> ConfigStore::check() {
    const auto text = read();
    if (!text) return fail(text.error());
    const ReadConfig read = read_config(*text, path());
    if (!read.good()) return fail(Code::malformed, on_one_line(read.errors()));
    auto good = check(read);
    if (!good) good.error().message = on_one_line(good.error().message);
    return good;
}

Result<void> ConfigStore::check_value(const std::string& key, const std::string& changed) {
    auto good = check_value(key, read_config(changed, path()));
    if (!good) good.error().message = on_one_line(good.error().message);
    return good;
}

}  // namespace caribou::robot
