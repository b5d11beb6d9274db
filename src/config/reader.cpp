#include "config/reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/toml.hpp"
#include "config/text.hpp"

namespace caribou::config {
namespace {

using Kind = JsonNode::Kind;

/// Stores a value. Returns false if it is not valid.
struct Put {
    const Key& key;
    const JsonNode& node;

    bool in_range() const {
        return node.is(Kind::number) && node.number >= key.low && node.number <= key.high;
    }
    template <class Whole>
    bool put_whole(Whole* into) const {
        if (!in_range() || node.number != std::floor(node.number)) return false;
        *into = static_cast<Whole>(node.number);
        return true;
    }
    static bool is_text(const JsonNode& n) {
        return n.is(Kind::text) && n.text.find('\0') == std::string::npos;
    }

    bool operator()(int* into) const { return put_whole(into); }
    bool operator()(std::size_t* into) const { return put_whole(into); }
    bool operator()(double* into) const {
        if (in_range()) *into = node.number;
        return in_range();
    }
    bool operator()(Duration* into) const {
        if (in_range()) *into = from_seconds(node.number);
        return in_range();
    }
    bool operator()(bool* into) const {
        if (node.is(Kind::truth)) *into = node.truth;
        return node.is(Kind::truth);
    }
    bool operator()(std::string* into) const {
        const bool known = key.words.empty() || std::ranges::count(key.words, node.text) > 0;
        if (!is_text(node) || !known) return false;
        *into = node.text;
        return true;
    }
    bool operator()(std::vector<std::string>* into) const {
        if (!node.is(Kind::list) || !std::ranges::all_of(node.items, is_text)) return false;
        into->clear();  // the default
        for (const JsonNode& item : node.items) into->push_back(item.text);
        return true;
    }
    bool operator()(Address* into) const {
        const auto address = Address::parse(node.text);
        if (!is_text(node) || !address || address->kind != Address::Kind::ip) return false;
        *into = *address;
        return true;
    }
    bool operator()(const Word& word) const { return is_text(node) && word.set(node.text); }
};

std::string shown(const JsonNode& node) {
    constexpr std::size_t most = 40;
    if (node.is(Kind::truth)) return node.truth ? "true" : "false";
    if (node.is(Kind::number)) return number_text(node.number);
    const std::string text = node.text.substr(0, most) + (node.text.size() > most ? "…" : "");
    if (node.is(Kind::text)) return json_quoted(text);
    return node.is(Kind::null) ? text : std::string(node.is(Kind::object) ? "a table" : name_of(node.kind));
}

}  // namespace

std::string put(const Key& key, const Place& place, const JsonNode& node) {
    const bool wants_list = std::holds_alternative<std::vector<std::string>*>(place);
    if (wants_list && node.is(Kind::text)) {
        JsonNode list{.kind = Kind::list};
        list.items.push_back(node);
        return put(key, place, list);
    }
    const bool has_one = !wants_list && node.is(Kind::list) && node.items.size() == 1;
    if (std::visit(Put{key, has_one ? node.items.front() : node}, place)) return {};
    return expected_text(key, place);
}

std::size_t line_of(std::string_view text, std::size_t offset) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

Reader::Reader(const NamedText& file, std::span<const Key> keys, std::span<const Place> places,
               std::vector<Table> tables)
    : file_(file),
      keys_(keys),
      places_(places),
      tables_(std::move(tables)),
      offsets_(keys.size()),
      faults_({&file, 1}, 100) {}

void Reader::read() {
    const auto root = read_toml(file_.text);
    if (!root) return fault_at(root.error().offset, root.error().message);
    read_table(*root, "");
}

void Reader::fault_at(std::size_t offset, std::string message) {
    faults_.add({.file = 0, .offset = offset}, std::move(message));
}

void Reader::fault_at_key(std::string_view full_name, std::string message) {
    const auto key =
        std::ranges::find_if(keys_, [&](const Key& each) { return each.full_name() == full_name; });
    const auto offset =
        key == keys_.end() ? std::nullopt : offsets_.at(static_cast<std::size_t>(key - keys_.begin()));
    fault_at(offset.value_or(0), std::move(message));
}

std::vector<std::size_t> Reader::lines() const {
    std::vector<std::size_t> all;
    for (const auto& offset : offsets_) all.push_back(offset ? line_of(file_.text, *offset) : 0);
    return all;
}

std::vector<std::size_t> Reader::columns() const {
    std::vector<std::size_t> all;
    for (const auto& offset : offsets_) {
        const std::string_view before = std::string_view(file_.text).substr(0, offset.value_or(0));
        const std::string_view line = before.substr(before.rfind('\n') + 1);
        const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
        all.push_back(offset ? 1 + static_cast<std::size_t>(std::ranges::count_if(line, starts_character))
                             : 0);
    }
    return all;
}

void Reader::read_table(const JsonNode& table, const std::string& section) {
    for (const JsonNode& node : table.items) {
        const auto own = std::ranges::find(tables_, node.key, &Table::name);
        if (section.empty() && own != tables_.end())
            own->read(node);
        else if (section.empty() && node.is(Kind::object) && is_section(node.key))
            read_table(node, node.key);
        else
            read_key(node, section);
    }
}

void Reader::read_key(const JsonNode& node, const std::string& section) {
    const auto found = std::ranges::find_if(
        keys_, [&](const Key& key) { return key.section == section && key.name == node.key; });
    if (found == keys_.end()) return refuse(node, section);
    const auto index = static_cast<std::size_t>(found - keys_.begin());
    offsets_[index] = node.offset;
    const std::string expected = put(*found, places_[index], node);
    if (!expected.empty())
        fault_at(node.offset,
                 fmt::format("{} is {}; expected {}", found->full_name(), shown(node), expected));
}

bool Reader::is_section(std::string_view name) const {
    return !name.empty() && std::ranges::count(keys_, name, &Key::section) > 0;
}

void Reader::refuse(const JsonNode& node, const std::string& section) {
    const bool is_table = section.empty() && node.is(Kind::object);
    std::vector<std::string> known;
    for (const Key& key : keys_) {
        const std::string& name = is_table ? key.section : key.name;
        if ((is_table || key.section == section) && !name.empty() && std::ranges::count(known, name) == 0)
            known.push_back(name);
    }
    if (section.empty())
        for (const Table& table : tables_) known.push_back(table.name);
    fault_at(node.key_offset, fmt::format("there is no {} `{}`{}{}", is_table ? "section" : "key", node.key,
                                          section.empty() ? "" : fmt::format(" in [{}]", section),
                                          instead_of(node.key, known)));
}

}  // namespace caribou::config
