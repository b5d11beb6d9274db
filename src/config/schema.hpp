#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "loop/address.hpp"
#include "loop/time.hpp"

namespace caribou::config {

/// A value with a text form of its own, such as a role.
struct Word {
    std::string expected;                         ///< for error messages, such as "`observe` or `drive`"
    std::function<bool(const std::string&)> set;  ///< returns false for an invalid text
    std::function<std::string()> text;
};

/// Where the value of a key is stored. Durations are seconds in files.
using Place = std::variant<int*, std::size_t*, double*, Duration*, bool*, std::string*,
                           std::vector<std::string>*, Address*, Word>;

/// Who can change a value of a program that runs.
enum class Setting : std::uint8_t {
    fixed,          ///< only who edits the file
    names_program,  ///< same; the value names a program to run, so that this must never change
    after_reboot,   ///< a command; it takes effect after a reboot
    at_once,        ///< a command
};

/// The definition of one key of a configuration file.
struct Key {
    std::string section;  ///< empty: at the top level
    std::string name;
    double low = 0;  ///< of numbers; inclusive
    double high = 0;
    std::string unit{};
    std::vector<std::string> words{};  ///< valid texts; empty: any
    std::string what{};                ///< for the documentation
    Setting setting = Setting::fixed;

    /// Returns `telemetry.rate`, or `SendPort`.
    std::string full_name() const { return section.empty() ? name : section + "." + name; }
    /// Returns whether a command can set it.
    bool settable() const { return setting >= Setting::after_reboot; }
};

/// One key, and where its value is in a configuration C.
template <class C>
struct Row {
    Key key;
    std::function<Place(C&)> place;
};

/// All keys of a configuration C, in the order of the documentation.
template <class C>
class Schema {
public:
    explicit Schema(std::vector<Row<C>> rows) {
        for (Row<C>& row : rows) {
            keys_.push_back(std::move(row.key));
            places_.push_back(std::move(row.place));
        }
    }

    const std::vector<Key>& keys() const { return keys_; }
    /// Returns the places of all keys, in the order of keys(). They are valid as long as the configuration.
    std::vector<Place> places(C& config) const {
        std::vector<Place> all;
        for (const auto& place : places_) all.push_back(place(config));
        return all;
    }
    /// Returns null if there is no key of that full name.
    const Key* find(std::string_view full_name) const {
        for (const Key& key : keys_)
            if (key.full_name() == full_name) return &key;
        return nullptr;
    }

private:
    std::vector<Key> keys_;
    std::vector<std::function<Place(C&)>> places_;
};

}  // namespace caribou::config
