#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caribou::sim {

/// Whether a client hears of a variable.
enum class Want {
    no,
    /// It may or may not, for its last wishes overlap: what was taken out of a pattern, or out with
    /// one, comes back at the next reconnect.
    maybe,
    yes,
};

/// What a client has asked for over all its connections, and so what it has to hear of.
class Wishes {
public:
    /// `keys`: all variables there will ever be.
    explicit Wishes(std::vector<std::string> keys) : keys_(std::move(keys)) {}

    void on_register(std::string_view key);
    void on_unregister(std::string_view key);
    void on_wildcard(std::string_view app_pattern, std::string_view var_pattern);
    void on_wildcard_end(std::string_view app_pattern, std::string_view var_pattern);

    Want want(std::string_view key) const;
    /// Whether it ever wanted it, surely or maybe.
    bool has_wanted(std::string_view key) const { return wanted_.contains(key); }

private:
    using Filter = std::pair<std::string, std::string>;  ///< of the writer's name, of the variable's

    void set(const std::string& key, Want want);
    bool covered(std::string_view key) const;

    std::vector<std::string> keys_;
    std::map<std::string, Want, std::less<>> wants_;
    std::set<std::string, std::less<>> wanted_;
    std::set<std::string, std::less<>> by_name_;
    std::set<Filter> filters_;
};

}  // namespace caribou::sim
