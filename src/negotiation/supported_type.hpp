#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "negotiation/type_key.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::negotiation {

/// A type that can be negotiated: a message, and a name for its encoding.
///
///     struct QuantisedScan {
///         using MsgT = msg::std_msgs::UInt8MultiArray;
///         static const inline std::string supported_type_name = "quantised";
///     };
template <class T>
concept SupportedType = requires {
    requires Sendable<typename T::MsgT>;
    { T::supported_type_name } -> std::convertible_to<std::string_view>;
};

/// Returns the key under which T is negotiated.
template <SupportedType T>
TypeKey key_of() {
    return {std::string(ros_type_name<typename T::MsgT>),
            std::string(std::string_view(T::supported_type_name))};
}

namespace detail {

/// Its address identifies T.
template <class T>
inline constexpr char tag = 0;

}  // namespace detail
}  // namespace caribou::negotiation
