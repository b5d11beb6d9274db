#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "robot/map_store.hpp"

namespace caribou {

/// The stored maps of a robot: files `NAME.map` in a folder (docs/formats/map.md), each replaced as a whole.
class MapFolder final : public robot::MapStore {
public:
    /// The folder is created with the first map.
    explicit MapFolder(std::string path) : path_(std::move(path)) {}

    /// Returns the names of all files of this form, in order; other files are ignored.
    Result<std::vector<std::string>> names() override;
    Result<std::string> load(const std::string& name) override;
    Result<void> save(const std::string& name, std::string_view text) override;
    Result<void> remove(const std::string& name) override;
    /// As `NAME.map.VERSION`, in place of the copy before.
    Result<void> back_up(const std::string& name, int version) override;

private:
    Result<std::string> file_of(const std::string& name) const;

    std::string path_;
};

}  // namespace caribou
