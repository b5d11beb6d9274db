// Arbitrary text as a condition: it is refused with a column within the text, or can be evaluated.

#include <cstdint>
#include <span>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "bus/logic_condition.hpp"

using namespace caribou;
using namespace caribou::bus;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = text_of(std::as_bytes(std::span(data, size)));
    const auto condition = LogicCondition::parse(input);
    if (!condition) {
        check(condition.error().message.starts_with("column "), "an error has a column");
        return 0;
    }
    check(!condition->variables().empty(), "a condition has a variable");
    const wire::Message number{.value = 3};
    const wire::Message text{.data_type = wire::DataType::string, .payload = "ACTIVE:SURVEY"};
    for (const wire::Message* const value : {&number, &text, static_cast<const wire::Message*>(nullptr)})
        static_cast<void>(condition->holds([&](const std::string&) { return value; }));
    return 0;
}
