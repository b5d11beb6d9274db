// The only file that uses the JSON library. The library's events have no positions. The text is therefore
// passed through a counting iterator, and a value starts at the first byte after the previous token that is
// not whitespace, a comma, a colon or part of a comment.

#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_node.hpp"

namespace caribou {
namespace {

class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, std::size_t* consumed) : at_(at), consumed_(consumed) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        ++at_;
        ++*consumed_;
        return *this;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

private:
    const char* at_;
    std::size_t* consumed_;
};

/// Returns the offset at which the next value, key or bracket starts.
std::size_t skip_to_token(std::string_view text, std::size_t at) {
    constexpr std::string_view between = " \t\r\n,:\xEF\xBB\xBF";
    while (at < text.size()) {
        const std::string_view rest = text.substr(at);
        if (between.contains(rest.front()))
            ++at;
        else if (rest.starts_with("//"))
            at += std::min(rest.find('\n'), rest.size());
        else if (rest.starts_with("/*"))
            at += std::min(rest.find("*/", 2), rest.size() - 2) + 2;
        else
            break;
    }
    return at;
}

/// Returns the library's message without the parts that our messages already contain. Example of a message:
/// `[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing value -
/// unexpected '}'`.
std::string plain(std::string_view what) {
    if (const auto at = what.find("] "); at != std::string_view::npos) what.remove_prefix(at + 2);
    if (const auto at = what.find(": "); what.starts_with("parse error") && at != std::string_view::npos)
        what.remove_prefix(at + 2);
    if (what.starts_with("syntax error ")) what.remove_prefix(13);
    return "malformed JSON: " + std::string(what);
}

/// Receives the library's SAX events and builds the nodes.
class NodeBuilder {
public:
    NodeBuilder(std::string_view text, const JsonLimits& limits, const std::size_t& consumed)
        : text_(text), limits_(limits), consumed_(consumed) {}

    // Names required by the library.
    bool null() { return scalar({}); }
    bool boolean(bool truth) { return scalar({.kind = JsonNode::Kind::truth, .truth = truth}); }
    bool number_integer(std::int64_t n) { return number(static_cast<double>(n)); }
    bool number_unsigned(std::uint64_t n) { return number(static_cast<double>(n)); }
    bool number_float(double n, const std::string&) { return number(n); }
    bool string(std::string& text) { return scalar({.kind = JsonNode::Kind::text, .text = std::move(text)}); }
    bool binary(nlohmann::json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(JsonNode::Kind::object); }
    bool start_array(std::size_t) { return open(JsonNode::Kind::list); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& key) {
        key_ = std::move(key);
        key_offset_ = begin_of_token();
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
        const std::string_view what = error.what();
        const bool is_at_end = consumed_ == 0 || what.contains("unexpected end of input");
        return give_up(is_at_end ? text_.size() : consumed_ - 1, plain(what));
    }

    std::expected<JsonNode, JsonFault> take() {
        if (fault_) return std::unexpected(std::move(*fault_));
        return std::move(root_);
    }

private:
    std::size_t begin_of_token() {
        const std::size_t begin = skip_to_token(text_, end_);
        end_ = consumed_;
        return begin;
    }

    bool number(double n) {
        const bool kept = scalar({.kind = JsonNode::Kind::number, .number = n});
        // The library reads one byte past a number to find its end.
        constexpr std::string_view of_numbers = "0123456789+-.eE";
        if (end_ > 0 && !of_numbers.contains(text_[end_ - 1])) --end_;
        return kept;
    }

    bool scalar(JsonNode node) { return append(std::move(node)) != nullptr; }

    bool open(JsonNode::Kind kind) {
        if (open_.size() >= limits_.depth)
            return give_up(consumed_ - 1, limit_reached("depth", open_.size() + 1, limits_.depth, "levels"));
        JsonNode* node = append({.kind = kind});
        if (node) open_.push_back(node);
        return node != nullptr;
    }

    bool close() {
        end_ = consumed_;
        open_.pop_back();
        return true;
    }

    /// Only the innermost open node grows, so pointers to the other open nodes remain valid.
    JsonNode* append(JsonNode node) {
        if (++values_ > limits_.values) {
            give_up(consumed_ - 1, limit_reached("values", values_, limits_.values, "values"));
            return nullptr;
        }
        node.offset = begin_of_token();
        node.key_offset = node.offset;
        if (open_.empty()) return &(root_ = std::move(node));
        if (open_.back()->is(JsonNode::Kind::object)) {
            node.key = std::move(key_);
            node.key_offset = key_offset_;
        }
        return &open_.back()->items.emplace_back(std::move(node));
    }

    bool give_up(std::size_t offset, std::string message) {
        fault_ = {offset, std::move(message)};
        return false;
    }

    std::string_view text_;
    const JsonLimits& limits_;
    const std::size_t& consumed_;
    JsonNode root_;
    std::vector<JsonNode*> open_;
    std::string key_;
    std::size_t key_offset_ = 0;
    std::size_t end_ = 0;  ///< just past the last token
    std::size_t values_ = 0;
    std::optional<JsonFault> fault_;
};

}  // namespace

std::expected<JsonNode, JsonFault> read_json(std::string_view text, const JsonLimits& limits) {
    if (text.size() > limits.bytes)
        return std::unexpected(JsonFault{0, limit_reached("bytes", text.size(), limits.bytes, "bytes")});
    std::size_t consumed = 0;
    NodeBuilder builder(text, limits, consumed);
    const CountingIterator begin(text.data(), &consumed);
    const CountingIterator end(text.data() + text.size(), &consumed);
    constexpr bool strict = true;
    constexpr bool ignore_comments = true;
    nlohmann::json::sax_parse(begin, end, &builder, nlohmann::json::input_format_t::json, strict,
                              ignore_comments);
    return builder.take();
}

}  // namespace caribou
