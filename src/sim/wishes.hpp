#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caribou::sim {

/// Whether a client must receive a variable.
enum class Want {
    no,
    /// Undefined, because its last requests overlap: a variable that was unregistered individually but
    /// matches a pattern, or was removed with a pattern, is registered again at the next reconnect.
    maybe,
    yes,
};

/// The registrations of a client over all its connections, and hence the variables it must receive.
class Wishes {
public:
    /// `keys` lists all variables of the simulation.
    explicit Wishes(std::vector<std::string> keys) : keys_(std::move(keys)) {}

    void on_register(std::string_view key);
    void on_unregister(std::string_view key);
    void on_wildcard(std::string_view app_pattern, std::string_view var_pattern);
    void on_wildcard_end(std::string_view app_pattern, std::string_view var_pattern);

    Want want(std::string_view key) const;
    /// Returns whether the client was ever registered for the variable, or may have been.
    bool has_wanted(std::string_view key) const { return wanted_.contains(key); }

private:
    using Filter = std::pair<std::string, std::string>;  ///< patterns of the writer's and the variable's name

    void set(const std::string& key, Want want);
    bool covered(std::string_view key) const;

    std::vector<std::string> keys_;
    std::map<std::string, Want, std::less<>> wants_;
    std::set<std::string, std::less<>> wanted_;
    std::set<std::string, std::less<>> by_name_;
    std::set<Filter> filters_;
};

}  // namespace caribou::sim
