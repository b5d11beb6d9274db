#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace caribou::robot {

/// The stored maps of a robot, as texts (map/stored_map.hpp) by name.
class MapStore {
public:
    virtual ~MapStore() = default;
    /// Returns the names, in order.
    virtual Result<std::vector<std::string>> names() = 0;
    /// Fails with Code::not_found if there is no map of that name.
    virtual Result<std::string> load(const std::string& name) = 0;
    /// Replaces the map; after a failure or a power cut the one before remains.
    virtual Result<void> save(const std::string& name, std::string_view text) = 0;
    virtual Result<void> remove(const std::string& name) = 0;
    /// Copies a map of an earlier version, before one of a newer version replaces it.
    virtual Result<void> back_up(const std::string& name, int version) = 0;
};

/// Maps in memory, for tests.
class MemoryMapStore final : public MapStore {
public:
    std::map<std::string, std::string, std::less<>> maps;

    Result<std::vector<std::string>> names() override {
        std::vector<std::string> all;
        for (const auto& [name, text] : maps) all.push_back(name);
        return all;
    }
    Result<std::string> load(const std::string& name) override {
        const auto found = maps.find(name);
        if (found == maps.end()) return fail(Code::not_found, "there is none");
        return found->second;
    }
    Result<void> save(const std::string& name, std::string_view text) override {
        maps[name] = text;
        return {};
    }
    Result<void> remove(const std::string& name) override {
        if (maps.erase(name) == 0) return fail(Code::not_found, "there is none");
        return {};
    }
    Result<void> back_up(const std::string& name, int version) override {
        backups[name + "." + std::to_string(version)] = maps[name];
        return {};
    }
    std::map<std::string, std::string, std::less<>> backups;
};

}  // namespace caribou::robot
