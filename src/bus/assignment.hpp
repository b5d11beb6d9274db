#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// A value for a variable, as people write it.
struct Assignment {
    std::string key;
    wire::DataType type = wire::DataType::number;
    double number = -1;
    std::string text{};  ///< of a string or binary value

    /// `X=3.5` is a number, `X=north` a string: whatever reads as a number is one. `X:=5` is the
    /// string 5, and `X:string=5`, `X:number=5` and `X:binary=00ff` (hexadecimal) say it in full.
    static Result<Assignment> parse(std::string_view text);

    /// Whether a message carries this value.
    bool is_in(const wire::MessageView& message) const;

    friend bool operator==(const Assignment&, const Assignment&) = default;
};

}  // namespace caribou::bus
