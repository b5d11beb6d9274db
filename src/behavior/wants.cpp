#include "behavior/wants.hpp"

namespace caribou::behavior {

std::string_view to_string(Gate gate) {
    switch (gate) {
        case Gate::none: return "none";
        case Gate::scope: return "scope";
        case Gate::active: return "active";
        case Gate::broken: return "broken";
        case Gate::circumstances: return "circumstances";
        case Gate::ensured: return "ensured";
        case Gate::requirement: return "requirement";
        case Gate::condition: return "condition";
        case Gate::behavior: return "behavior";
        case Gate::delegates: return "delegates";
    }
    return "unknown";
}

}  // namespace caribou::behavior
