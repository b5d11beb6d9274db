#pragma once

#include <string_view>

#include "cubes/radio.hpp"

namespace caribou::cubes {

// Bluetooth name and UUIDs of a real cube (docs/formats/cube-messages.md).

inline constexpr std::string_view cube_name = "Vector Cube";
inline constexpr std::string_view cube_service_uuid = "c6f6c70f-d219-598b-fb4c-308e1f22f830";

constexpr std::string_view uuid_of(Characteristic characteristic) {
    switch (characteristic) {
        case Characteristic::app_write: return "0ea75290-6759-a58d-7948-598c4e02d94a";
        case Characteristic::app_read: return "43ef14af-5fb1-7b81-3647-2a9477824cab";
        case Characteristic::version: return "450aa175-8d85-16a6-9148-d50e2eb7b79e";
        case Characteristic::firmware: return "9590ba9c-5140-92b5-1844-5f9d681557a4";
    }
    return "";
}

}  // namespace caribou::cubes
