#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace caribou {

/// A number that identifies one object of one kind. Ids of different kinds are different types and do not
/// mix:
/// `using ConnectionId = Id<struct ConnectionTag>;`
template <class Tag>
struct Id {
    std::uint64_t value = 0;

    friend auto operator<=>(const Id&, const Id&) = default;
};

}  // namespace caribou

template <class Tag>
struct std::hash<caribou::Id<Tag>> {
    std::size_t operator()(caribou::Id<Tag> id) const noexcept {
        return std::hash<std::uint64_t>{}(id.value);
    }
};
