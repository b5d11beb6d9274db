// Decodes arbitrary bytes as a message of each type. A decoded message must survive being encoded and decoded
// again, and must be printable.

#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "msg/message_value.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace caribou;
    if (size == 0) return 0;
    const auto schemas = msg::known_schemas();
    const msg::MessageSchema& schema = schemas[data[0] % schemas.size()];
    const ByteView payload = std::as_bytes(std::span(data, size)).subspan(1);
    const auto value = msg::decode_value(schema, payload);
    if (!value) {
        check(value.error().code == Code::malformed, "what cannot be read is malformed");
        return 0;
    }
    const Bytes bytes = msg::encode_value(schema, *value);
    const auto again = msg::decode_value(schema, bytes);
    check(again && msg::encode_value(schema, *again) == bytes, "what was written is read");
    check(!msg::to_text(schema, *value).empty() || schema.fields.empty(), "what was read can be shown");
    return 0;
}
