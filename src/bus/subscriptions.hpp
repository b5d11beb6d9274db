#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>

#include "bus/wildcard.hpp"
#include "loop/time.hpp"

namespace caribou::bus {

/// The registrations of a client, in the order in which they were made, for repeating them on a new
/// connection. The order matters where a wildcard and a variable overlap.
class Subscriptions {
public:
    struct Variable {
        std::string key;
        Duration interval;
    };
    using Registration = std::variant<Variable, Wildcard>;

    /// Adds a registration. An existing one for the same variable or patterns moves to the end with the new
    /// interval.
    void add(Registration registration);
    void remove_variable(std::string_view key);
    void remove_wildcard(const Wildcard& wildcard);

    bool holds(const Registration& registration) const { return index_.contains(name_of(registration)); }
    std::size_t size() const { return in_order_.size(); }
    /// Calls `visit(const Registration&)` for each registration in order.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const auto& [number, registration] : in_order_) visit(registration);
    }

private:
    static std::string name_of(const Registration& registration);
    void remove(const std::string& name);

    std::map<std::uint64_t, Registration> in_order_;
    std::unordered_map<std::string, std::uint64_t> index_;
    std::uint64_t next_ = 0;
};

}  // namespace caribou::bus
