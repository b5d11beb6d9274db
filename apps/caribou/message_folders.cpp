#include "caribou/message_folders.hpp"

#include <utility>

#include <fmt/format.h>

#include "platform/text_file.hpp"

namespace caribou::app {

msg::MessageTypes::FindFile open_message_folders(std::vector<std::string> folders) {
    return
        [folders = std::move(folders)](std::string_view package, std::string_view name) -> Result<NamedText> {
            for (const std::string& folder : folders) {
                const std::string path = fmt::format("{}/{}/msg/{}.msg", folder, package, name);
                auto text = read_text_file(path, 1_MiB);
                if (text) return NamedText{path, std::move(*text)};
                if (text.error().code != Code::not_found) return fail(std::move(text.error()));
            }
            return fail(Code::not_found, fmt::format("there is no file {}/msg/{}.msg", package, name));
        };
}

}  // namespace caribou::app
