#include "cubes/radio.hpp"

namespace caribou::cubes {

std::string_view to_string(Characteristic characteristic) {
    switch (characteristic) {
        case Characteristic::app_write: return "app_write";
        case Characteristic::app_read: return "app_read";
        case Characteristic::version: return "version";
        case Characteristic::firmware: return "firmware";
    }
    return "unknown";
}

std::string_view to_string(RadioStatus::Kind kind) {
    switch (kind) {
        case RadioStatus::Kind::ready: return "ready";
        case RadioStatus::Kind::off: return "off";
        case RadioStatus::Kind::denied: return "denied";
        case RadioStatus::Kind::unavailable: return "unavailable";
    }
    return "unknown";
}

}  // namespace caribou::cubes
