#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "adapters/robot_files/self_check_file.hpp"
#include "platform/text_file.hpp"
#include "robot/robot_config.hpp"

namespace caribou::tests {

/// Stores a passed self-check for the body of this configuration, which names a `link.record`, and returns
/// its path. For tests of other things: tests/self_check_process_test.cpp runs the check itself.
inline std::string self_checked(const std::string& config_path) {
    const robot::ReadConfig read = robot::read_config(read_text_file(config_path).value(), config_path);
    EXPECT_TRUE(read.good()) << config_path;
    const auto folder = std::filesystem::path(read.config.link_record).parent_path();
    EXPECT_TRUE(store_self_check(folder / (read.config.name + ".check"),
                                 {.passed = true, .body = body_digest(read.config).value(), .at = "a test"}));
    return config_path;
}

}  // namespace caribou::tests
