#include "msg/schema.hpp"

#include <vector>

namespace caribou::msg {

const MessageSchema* find_schema(std::string_view type_name) {
    const std::size_t slash = type_name.find('/');
    if (slash == std::string_view::npos) return nullptr;
    std::string whole(type_name);
    if (type_name.find('/', slash + 1) == std::string_view::npos) whole.insert(slash, "/msg");
    for (const MessageSchema& schema : known_schemas())
        if (schema.type_name == whole) return &schema;
    return nullptr;
}

std::span<const std::string> known_type_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const MessageSchema& schema : known_schemas()) all.emplace_back(schema.type_name);
        return all;
    }();
    return names;
}

}  // namespace caribou::msg
