#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "base/result.hpp"
#include "negotiation/sample.hpp"
#include "wire/cdr.hpp"

namespace caribou::negotiation {

/// Lets a user-defined type be published as a message. Within a process it is passed as it is, and it is
/// converted only when it leaves the process.
///
///     template <>
///     struct TypeAdapter<MyScan> {
///         using Message = msg::sensor_msgs::LaserScan;
///         static Message to_message(const MyScan&);
///         static MyScan from_message(const Message&);
///     };
template <class T>
struct TypeAdapter;

template <class T>
concept Adapted = requires(const T& object, const typename TypeAdapter<T>::Message& message) {
    requires wire::WireMessage<typename TypeAdapter<T>::Message>;
    { TypeAdapter<T>::to_message(object) } -> std::same_as<typename TypeAdapter<T>::Message>;
    { TypeAdapter<T>::from_message(message) } -> std::same_as<T>;
};

/// A type that can be published: a message, or a type with an adapter.
template <class T>
concept Sendable = wire::WireMessage<T> || Adapted<T>;

namespace detail {

template <class T>
struct MessageOf {
    using Type = T;
};
template <Adapted T>
struct MessageOf<T> {
    using Type = typename TypeAdapter<T>::Message;
};

}  // namespace detail

/// T itself, or the message to which its adapter converts it.
template <Sendable T>
using MessageOf = typename detail::MessageOf<T>::Type;

/// Such as `sensor_msgs/msg/LaserScan`.
template <Sendable T>
inline constexpr std::string_view ros_type_name = wire::MessageCodec<MessageOf<T>>::type_name;

template <Sendable T>
const SampleType& sample_type() {
    static constexpr SampleType type{[](const void* object) {
        const T& held = *static_cast<const T*>(object);
        if constexpr (Adapted<T>)
            return wire::encode_cdr(TypeAdapter<T>::to_message(held));
        else
            return wire::encode_cdr(held);
    }};
    return type;
}

/// Returns a sample that shares ownership of `object`, which must not be null.
template <Sendable T>
Sample make_sample(std::shared_ptr<const T> object, WallTime stamp) {
    return {std::move(object), sample_type<T>(), stamp};
}

/// Returns the content of the sample as a T. If it was published as a T in this process, that is the original
/// object; otherwise it is decoded, which fails if the bytes are malformed.
template <Sendable T>
Result<std::shared_ptr<const T>> object_of(const Sample& sample) {
    if (sample.type() == &sample_type<T>()) return std::static_pointer_cast<const T>(sample.object());
    if constexpr (Adapted<T>) {
        auto message = object_of<MessageOf<T>>(sample);
        if (!message) return fail(std::move(message.error()));
        return std::make_shared<const T>(TypeAdapter<T>::from_message(**message));
    } else {
        auto decoded = wire::decode_cdr<T>(sample.bytes());
        if (!decoded) return fail(std::move(decoded.error()));
        return std::make_shared<const T>(std::move(*decoded));
    }
}

}  // namespace caribou::negotiation
