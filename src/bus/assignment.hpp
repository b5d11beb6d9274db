#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// A variable and a value for it, in the notation of the command line.
struct Assignment {
    std::string key;
    wire::DataType type = wire::DataType::number;
    double number = -1;
    std::string text{};  ///< for string and binary values

    /// Parses an assignment. `X=3.5` is a number and `X=north` a string: text that parses as a number is a
    /// number. `X:=5` is the string 5. `X:string=5`, `X:number=5` and `X:binary=00ff` (hexadecimal) name the
    /// type.
    static Result<Assignment> parse(std::string_view text);

    /// Returns whether `message` carries this value.
    bool is_in(const wire::MessageView& message) const;

    friend bool operator==(const Assignment&, const Assignment&) = default;
};

}  // namespace caribou::bus
