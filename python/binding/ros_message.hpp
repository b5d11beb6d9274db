#pragma once

#include "conversions.hpp"
#include "msg/schema.hpp"

namespace caribou::python {

/// Encodes a dict with the fields of a message, or returns what is encoded already. Fields that are missing
/// have their defaults. Raises ValueError or TypeError, with the path of the field.
Bytes encode_message(const msg::MessageSchema& schema, const py::object& message);
/// Returns a message as a dict; uint8[] as bytes. Raises ValueError if it is malformed.
py::dict decode_message(const msg::MessageSchema& schema, ByteView payload);

}  // namespace caribou::python
