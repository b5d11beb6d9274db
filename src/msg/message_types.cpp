#include "msg/message_types.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "msg/message_file.hpp"

namespace caribou::msg {
namespace {

struct NameParts {
    std::string_view package;
    std::string_view name;
};

/// Returns empty parts if the text is not a name of a type.
NameParts parts_of(std::string_view type_name) {
    const std::size_t slash = type_name.find('/');
    if (slash == std::string_view::npos) return {};
    NameParts parts{type_name.substr(0, slash), type_name.substr(slash + 1)};
    if (parts.name.starts_with("msg/")) parts.name.remove_prefix(4);
    return is_message_name(parts.package) && is_message_name(parts.name) ? parts : NameParts{};
}

std::string joined(std::string_view package, std::string_view name) {
    return fmt::format("{}/msg/{}", package, name);
}

std::size_t number_size(FieldKind kind) {
    switch (kind) {
        case FieldKind::boolean:
        case FieldKind::int8:
        case FieldKind::uint8: return 1;
        case FieldKind::int16:
        case FieldKind::uint16: return 2;
        case FieldKind::int64:
        case FieldKind::uint64:
        case FieldKind::float64: return 8;
        default: return 4;  // also the length of a text
    }
}

/// Returns the minimum size of a value on the wire, or more than `limit` if it exceeds that.
std::size_t least_size_of(const FieldSchema& field, std::size_t limit) {
    if (field.array == ArrayKind::bounded || field.array == ArrayKind::unbounded) return 4;
    const std::size_t one =
        field.kind == FieldKind::message ? field.message->least_size : number_size(field.kind);
    if (field.array == ArrayKind::none) return one;
    return field.size > limit / one ? limit + 1 : field.size * one;
}

std::string at_place(const NamedText& file, std::size_t offset, std::string message) {
    FaultList faults(std::span(&file, 1), 1);
    faults.add({0, offset}, std::move(message));
    return to_string(faults.take().front());
}

}  // namespace

struct MessageTypes::Type {
    std::string name;
    std::vector<FileField> file_fields;  ///< own the names in `fields`
    std::vector<FieldSchema> fields;
    MessageSchema schema;
};

std::string full_type_name(std::string_view type_name) {
    const auto [package, name] = parts_of(type_name);
    return package.empty() ? "" : joined(package, name);
}

MessageTypes::MessageTypes(FindFile find_file) : find_file_(std::move(find_file)) {}
MessageTypes::~MessageTypes() = default;

Result<const MessageSchema*> MessageTypes::find(std::string_view type_name) {
    const auto [package, name] = parts_of(type_name);
    if (!package.empty()) {
        auto loaded = load(package, name);
        if (loaded || loaded.error().code != Code::not_found) return loaded;
    }
    return fail(Code::not_found, fmt::format("no message `{}` is known here{}", type_name,
                                             instead_of(std::string(type_name), known_type_names())));
}

Result<const MessageSchema*> MessageTypes::load(std::string_view package, std::string_view name) {
    std::string type_name = joined(package, name);
    if (const auto known = types_.find(type_name); known != types_.end()) return &known->second->schema;
    if (find_file_) {
        const auto file = find_file_(package, name);
        if (file) return make(std::move(type_name), package, *file);
        if (file.error().code != Code::not_found) return fail(file.error());
    }
    if (const MessageSchema* schema = find_schema(type_name)) return schema;
    return fail(Code::not_found, fmt::format("there is no message `{}`", type_name));
}

Result<const MessageSchema*> MessageTypes::make(std::string type_name, std::string_view package,
                                                const NamedText& file) {
    const auto refuse = [&](std::size_t offset, std::string message) {
        return fail(Code::malformed, at_place(file, offset, std::move(message)));
    };
    if (std::ranges::find(under_way_, type_name) != under_way_.end())
        return refuse(0, fmt::format("`{}` contains itself", type_name));
    if (under_way_.size() == max_depth)
        return refuse(0, fmt::format("more than {} messages are inside each other", max_depth));
    auto read = read_message_file(file.text, package);
    if (!read) return refuse(read.error().offset, std::move(read.error().message));
    auto type = std::make_unique<Type>();
    type->name = type_name;
    type->file_fields = std::move(*read);
    under_way_.push_back(type_name);
    Result<void> nested_outcome{};
    std::size_t least = 0;
    for (const FileField& field : type->file_fields) {
        FieldSchema made{.name = field.name,
                         .kind = field.kind,
                         .array = field.array,
                         .size = field.size,
                         .text_bound = field.text_bound,
                         .message = nullptr,
                         .initial = field.initial};
        if (field.kind == FieldKind::message) {
            const auto nested = load(field.package, field.message);
            if (!nested) {
                if (nested.error().code == Code::not_found)
                    nested_outcome = refuse(field.offset, nested.error().message);
                else
                    nested_outcome = fail(nested.error());
                break;
            }
            made.message = *nested;
        }
        least += least_size_of(made, max_fixed_size);
        if (least > max_fixed_size) {
            nested_outcome =
                refuse(field.offset,
                       fmt::format("`{}` makes the message larger than {} bytes even while it is empty",
                                   field.name, max_fixed_size));
            break;
        }
        type->fields.push_back(made);
    }
    under_way_.pop_back();
    if (!nested_outcome) return fail(std::move(nested_outcome.error()));
    type->schema = {
        .type_name = type->name, .fields = type->fields, .least_size = std::max<std::size_t>(1, least)};
    return &types_.emplace(std::move(type_name), std::move(type)).first->second->schema;
}

}  // namespace caribou::msg
