#include "adapters/robot_files/self_check_file.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "adapters/openssl/sha256.hpp"
#include "adapters/robot_files/config_file.hpp"
#include "platform/text_file.hpp"
#include "robot/config_schema.hpp"

namespace caribou {
namespace {

constexpr std::size_t most_of_check = 64_KiB;

}  // namespace

Result<std::string> body_digest(const robot::RobotConfig& config) {
    std::string text = robot::section_text(config, "body");
    if (config.body == "linux") {
        const auto wiring = read_text_file(config.body_file);
        if (!wiring) return fail(wiring.error());
        text += *wiring;
    }
    return sha256_of(text);
}

std::string self_check_objection(const std::string& path, const std::string& digest) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return fmt::format("no result is stored in {}", path);
    const auto text = read_text_file(path, most_of_check);
    const auto record = text ? robot::self_check_record_from(*text) : fail(text.error());
    if (!record) return fmt::format("the stored result cannot be used: {}: {}", path, record.error().message);
    if (record->body != digest)
        return fmt::format("the configuration of the body has changed since the self-check of {}",
                           record->at);
    if (!record->passed) return fmt::format("the self-check of {} has failed", record->at);
    return {};
}

Result<void> store_self_check(const std::string& path, const robot::SelfCheckRecord& record) {
    if (const auto before = read_text_file(path, most_of_check)) {
        const auto read = robot::self_check_record_from(*before);
        if (!read && read.error().code == Code::refused)
            if (auto kept = write_text_file(path + ".newer", *before); !kept) return kept;
    }
    return ConfigFile(path).write(robot::file_text_of(record));
}

}  // namespace caribou
