// Arbitrary text as a `.msg` file: a type whose messages can be written and read, or an error.

#include <cstdint>

#include "base/check.hpp"
#include "msg/message_types.hpp"
#include "msg/message_value.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    const std::string text(reinterpret_cast<const char*>(data), size);
    msg::MessageTypes types([&](std::string_view package, std::string_view name) -> Result<NamedText> {
        if (package != "a" || name != "M") return fail(Code::not_found, "none");
        return NamedText{"M.msg", text};
    });
    const auto schema = types.find("a/M");
    if (!schema) {
        check(schema.error().code == Code::malformed, "a fault of the file");
        return 0;
    }
    const msg::MessageValue value = msg::initial_value(**schema);
    const auto read = msg::decode_value(**schema, msg::encode_value(**schema, value));
    check(read && *read == value, "what was written is read");
    return 0;
}
