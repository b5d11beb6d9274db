#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "negotiation/type_key.hpp"
#include "negotiation/typed_sample.hpp"

namespace caribou::negotiation {

/// What is negotiated about: a message, and a word on what is in it.
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

template <SupportedType T>
TypeKey key_of() {
    return {std::string(ros_type_name<typename T::MsgT>),
            std::string(std::string_view(T::supported_type_name))};
}

namespace detail {

/// Its address stands for T.
template <class T>
inline constexpr char tag = 0;

}  // namespace detail
}  // namespace caribou::negotiation
