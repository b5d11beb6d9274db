#include "wire/alog_format.hpp"

#include "base/number_text.hpp"

namespace caribou::wire::alog {

DataType looks_like(std::string_view value) {
    if (value.starts_with(reference_begin)) return DataType::binary;
    return number_in(value) ? DataType::number : DataType::string;
}

bool is_awkward(std::string_view value) {
    return value.starts_with(' ') || value.starts_with('\t') || value.starts_with(reference_begin) ||
           value.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos;
}

}  // namespace caribou::wire::alog
