#include "link/paired_key.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/path_name.hpp"
#include "base/suggestion.hpp"
#include "base/trimmed.hpp"
#include "link/key_words.hpp"
#include "link/message.hpp"

namespace caribou::link {
namespace {

constexpr std::string_view first_words = "caribou key ";
constexpr int key_file_version = 1;
const std::vector<std::string> fields{"name", "role", "created", "key"};

std::unexpected<Error> malformed(std::size_t line, std::string_view what) {
    return fail(Code::malformed, fmt::format("line {}: {}", line, what));
}

Result<void> check_first_line(std::string_view line) {
    const auto found =
        line.starts_with(first_words) ? number_in(line.substr(first_words.size())) : std::nullopt;
    if (found == key_file_version) return {};
    if (found && *found > key_file_version && std::trunc(*found) == *found)
        return fail(Code::refused,
                    fmt::format("line 1: version {} of key files is newer than this program, which reads "
                                "version {}; install a newer Caribou, or pair again",
                                number_text(*found), key_file_version));
    return malformed(1, fmt::format("expected `{}{}`", first_words, key_file_version));
}

/// Parses lines `name = value`; each name at most once.
Result<std::map<std::string, std::string, std::less<>>> read_fields(std::string_view text) {
    std::map<std::string, std::string, std::less<>> found;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view said = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line == 1) {
            if (auto known = check_first_line(said); !known) return fail(known.error());
            continue;
        }
        if (said.empty() || said.front() == '#') continue;
        const std::size_t equals = said.find('=');
        if (equals == said.npos) return malformed(line, "expected `name = value`");
        const std::string name(trimmed(said.substr(0, equals)));
        if (std::ranges::find(fields, name) == fields.end())
            return malformed(line, fmt::format("unknown field `{}`{}", name, instead_of(name, fields)));
        if (!found.emplace(name, trimmed(said.substr(equals + 1))).second)
            return malformed(line, fmt::format("`{}` is set twice", name));
    }
    for (const std::string& name : fields)
        if (!found.contains(name)) return fail(Code::malformed, fmt::format("`{}` is missing", name));
    return found;
}

}  // namespace

std::string file_text_of(const PairedKey& key) {
    return fmt::format(
        "{}{}\n"
        "# A secret: whoever reads the last line can act as the other machine.\n"
        "name = {}\nrole = {}\ncreated = {}\nkey = {}\n",
        first_words, key_file_version, key.name, to_string(key.role), key.created, words_of(key.key));
}

Result<PairedKey> paired_key_from(std::string_view file_text) {
    auto found = read_fields(file_text);
    if (!found) return fail(std::move(found.error()));
    if (const auto checked = check_path_name(found->at("name")); !checked) return fail(checked.error());
    const auto role = role_from(found->at("role"));
    if (!role) return fail(Code::malformed, "the role is `observe`, `drive` or `admin`");
    auto key = key_from_words(found->at("key"));
    if (!key) return fail(Code::malformed, fmt::format("the key: {}", key.error().message));
    return PairedKey{found->at("name"), *role, found->at("created"), *key};
}

}  // namespace caribou::link
