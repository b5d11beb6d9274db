#include "behavior/kept_facts.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/json_node.hpp"
#include "base/json_writer.hpp"

namespace caribou::behavior {

std::string file_text_of(const KeptFacts& facts) {
    JsonWriter json;
    json.begin_object();
    json.member("version", kept_facts_version);
    json.key("facts");
    json.begin_object();
    for (const auto& [name, value] : facts) {
        const double* number = std::get_if<double>(&value);
        if (number && !std::isfinite(*number)) continue;
        std::visit([&](const auto& given) { json.member(name, given); }, value);
    }
    json.end_object();
    json.end_object();
    return std::move(json).take() + "\n";
}

Result<KeptFacts> kept_facts_from(std::string_view file_text) {
    const auto root = read_json(file_text, {.bytes = 1_MiB, .depth = 4, .values = 100'000});
    if (!root) return fail(Code::malformed, root.error().message);
    const JsonNode* const version = root->find("version");
    if (!version || !version->is(JsonNode::Kind::number))
        return fail(Code::malformed, "`version` is missing");
    if (version->number > kept_facts_version)
        return fail(Code::refused, fmt::format("its version is {}, this program reads up to {}",
                                               version->number, kept_facts_version));
    if (version->number != kept_facts_version)
        return fail(Code::malformed, fmt::format("there is no version {}", version->number));
    const JsonNode* const facts = root->find("facts");
    if (!facts || !facts->is(JsonNode::Kind::object)) return fail(Code::malformed, "`facts` is missing");
    KeptFacts kept;
    for (const JsonNode& fact : facts->items) {
        if (fact.is(JsonNode::Kind::truth)) kept.insert_or_assign(fact.key, Value(fact.truth));
        if (fact.is(JsonNode::Kind::number)) kept.insert_or_assign(fact.key, Value(fact.number));
        if (fact.is(JsonNode::Kind::text)) kept.insert_or_assign(fact.key, Value(fact.text));
    }
    return kept;
}

KeptFacts kept_of(const FactDeclarations& declared, const Facts& facts) {
    KeptFacts kept;
    for (const auto& [name, fact] : declared)
        if (const Value* value = fact.is_kept ? facts.find(name) : nullptr) kept.emplace(name, *value);
    return kept;
}

std::vector<std::string> restore(const KeptFacts& kept, const FactDeclarations& declared, Facts& facts) {
    std::vector<std::string> unfit;
    for (const auto& [name, value] : kept) {
        const auto fact = declared.find(name);
        if (fact == declared.end() || !fact->second.is_kept) continue;
        if (fits(fact->second, value))
            facts.set(name, value);
        else
            unfit.push_back(name);
    }
    return unfit;
}

}  // namespace caribou::behavior
