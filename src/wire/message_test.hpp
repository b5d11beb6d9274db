#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "wire/message.hpp"

/// Shared by the tests of wire: generators of arbitrary messages, bitwise comparison, and printing.
namespace caribou::wire {

/// Used by GoogleTest and rapidcheck to print a message.
inline std::ostream& operator<<(std::ostream& out, const Message& m) {
    return out << fmt::format(
               "{{id {} type {:?} data {:?} source {:?} aux {:?} community {:?} key {:?} "
               "time {} value {} value2 {} payload {:?}}}",
               m.id, static_cast<char>(m.type), static_cast<char>(m.data_type), m.source, m.aux, m.community,
               m.key, m.time, m.value, m.value2, m.payload);
}

/// Unlike ==, distinguishes 0 from -0 and treats a NaN as equal to itself.
inline bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline bool identical(const Message& a, const Message& b) {
    return a.id == b.id && a.type == b.type && a.data_type == b.data_type && a.source == b.source &&
           a.aux == b.aux && a.community == b.community && a.key == b.key && same_bits(a.time, b.time) &&
           same_bits(a.value, b.value) && same_bits(a.value2, b.value2) && a.payload == b.payload;
}

inline bool identical(const std::vector<Message>& a, const std::vector<Message>& b) {
    return std::ranges::equal(a, b, [](const Message& x, const Message& y) { return identical(x, y); });
}

/// Generates any byte; NUL and bytes above 127 are as likely as others.
inline rc::Gen<char> any_char() {
    return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint8_t>()),
                        [](std::uint8_t byte) { return static_cast<char>(byte); });
}

inline rc::Gen<std::string> any_text() {
    return rc::gen::resize(20, rc::gen::container<std::string>(any_char()));
}

/// Generates any 64 bits, and often those that arithmetic would not preserve: both kinds of NaN, -0,
/// infinities.
inline rc::Gen<double> any_double() {
    const auto any_bits = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
    const auto odd_bits = rc::gen::element<std::uint64_t>(0x7ff8'0000'0000'0000, 0xfff8'dead'beef'cafe,
                                                          0x7ff0'0000'0000'0001, 0x8000'0000'0000'0000,
                                                          0x7ff0'0000'0000'0000, 0xfff0'0000'0000'0000, 1);
    return rc::gen::map(rc::gen::oneOf(any_bits, odd_bits),
                        [](std::uint64_t bits) { return std::bit_cast<double>(bits); });
}

inline rc::Gen<std::int32_t> any_id() {
    using Limits = std::numeric_limits<std::int32_t>;
    return rc::gen::oneOf(
        rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::int32_t>()),
        rc::gen::element<std::int32_t>(Limits::min(), server_request_id, -1, 0, Limits::max()));
}

}  // namespace caribou::wire

template <>
struct rc::Arbitrary<caribou::wire::Message> {
    static Gen<caribou::wire::Message> arbitrary() {
        using namespace caribou::wire;
        return gen::build<Message>(
            gen::set(&Message::id, any_id()),
            gen::set(&Message::type,
                     gen::map(any_char(), [](char c) { return static_cast<MessageType>(c); })),
            gen::set(&Message::data_type,
                     gen::map(any_char(), [](char c) { return static_cast<DataType>(c); })),
            gen::set(&Message::source, any_text()), gen::set(&Message::aux, any_text()),
            gen::set(&Message::community, any_text()), gen::set(&Message::key, any_text()),
            gen::set(&Message::time, any_double()), gen::set(&Message::value, any_double()),
            gen::set(&Message::value2, any_double()), gen::set(&Message::payload, any_text()));
    }
};
