#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/bytes.hpp"

namespace caribou {

/// A property of an object of BlueZ; monostate for types that are not used.
using BluezValue =
    std::variant<std::monostate, bool, std::int64_t, std::string, std::vector<std::string>, Bytes>;
using BluezProperties = std::map<std::string, BluezValue, std::less<>>;
using BluezInterfaces = std::map<std::string, BluezProperties, std::less<>>;

namespace bluez {

inline constexpr std::string_view adapter = "org.bluez.Adapter1";
inline constexpr std::string_view device = "org.bluez.Device1";
inline constexpr std::string_view characteristic = "org.bluez.GattCharacteristic1";

}  // namespace bluez

/// The adapters, devices and characteristics of BlueZ by path, with their latest properties.
class BluezObjects {
public:
    /// Adds an object, or interfaces of an existing one.
    void add(const std::string& path, BluezInterfaces interfaces) {
        for (auto& [name, properties] : interfaces) objects_[path][name] = std::move(properties);
    }
    /// Removes interfaces; an object without interfaces is removed as well.
    void remove(const std::string& path, const std::vector<std::string>& interfaces) {
        const auto object = objects_.find(path);
        if (object == objects_.end()) return;
        for (const std::string& name : interfaces) object->second.erase(name);
        if (object->second.empty()) objects_.erase(object);
    }
    void change(const std::string& path, const std::string& interface, const BluezProperties& changed,
                const std::vector<std::string>& dropped) {
        const auto object = objects_.find(path);
        if (object == objects_.end() || !object->second.contains(interface)) return;
        BluezProperties& properties = object->second[interface];
        for (const auto& [name, value] : changed) properties[name] = value;
        for (const std::string& name : dropped) properties.erase(name);
    }

    bool has(std::string_view path, std::string_view interface) const {
        const auto object = objects_.find(path);
        return object != objects_.end() && object->second.contains(interface);
    }
    /// Returns null if there is no such property, or if it has another type.
    template <class T>
    const T* find(std::string_view path, std::string_view interface, std::string_view property) const {
        if (!has(path, interface)) return nullptr;
        const BluezProperties& properties = objects_.find(path)->second.find(interface)->second;
        const auto found = properties.find(property);
        return found == properties.end() ? nullptr : std::get_if<T>(&found->second);
    }
    /// Returns whether the property exists and is true.
    bool is_true(std::string_view path, std::string_view interface, std::string_view property) const {
        const bool* const value = find<bool>(path, interface, property);
        return value && *value;
    }
    /// Returns the property, or an empty string if there is none.
    std::string text(std::string_view path, std::string_view interface, std::string_view property) const {
        const auto* const value = find<std::string>(path, interface, property);
        return value ? *value : std::string();
    }
    /// Returns the paths of all objects with this interface, sorted.
    std::vector<std::string> paths_with(std::string_view interface) const {
        std::vector<std::string> paths;
        for (const auto& [path, interfaces] : objects_)
            if (interfaces.contains(interface)) paths.push_back(path);
        return paths;
    }

private:
    std::map<std::string, BluezInterfaces, std::less<>> objects_;
};

}  // namespace caribou
