#include "behavior/recording_format.hpp"

#include <type_traits>
#include <utility>

#include "behavior/tree.hpp"

namespace caribou::behavior {
namespace {

// `nobody` is encoded as 0, every other number as one more.
std::uint64_t coded(Who who) { return who == nobody ? 0 : std::uint64_t{who} + 1; }

void append_fields(Bytes& to, const Pushed& c) {
    append_varint(to, coded(c.who));
    append_varint(to, coded(c.by));
}
void append_fields(Bytes& to, const Popped& c) {
    append_varint(to, coded(c.who));
    append_varint(to, std::to_underlying(c.outcome));
    append_text(to, c.reason);
}
void append_fields(Bytes& to, const Entered& c) { append_varint(to, coded(c.who)); }
void append_fields(Bytes& to, const Left& c) { append_varint(to, coded(c.who)); }
void append_fields(Bytes& to, const Refused& c) {
    append_varint(to, coded(c.who));
    append_varint(to, std::to_underlying(c.gate));
    append_text(to, c.why);
}
void append_fields(Bytes& to, const Willing& c) { append_varint(to, coded(c.who)); }
void append_fields(Bytes& to, const ConditionChanged& c) {
    append_varint(to, coded(c.who));
    append_varint(to, std::uint64_t{c.number} * 2 + (c.holds ? 1 : 0));
}
void append_fields(Bytes& to, const ActionStarted& c) {
    append_varint(to, coded(c.who));
    append_text(to, c.name);
}
void append_fields(Bytes& to, const ActionEnded& c) {
    append_varint(to, coded(c.who));
    append_varint(to, std::to_underlying(c.outcome));
    append_text(to, c.reason);
}
void append_fields(Bytes& to, const RuleBroken& c) {
    append_varint(to, coded(c.who));
    append_varint(to, std::to_underlying(c.rule));
    append_text(to, c.why);
}
void append_fields(Bytes& to, const StackReset& c) { append_text(to, c.why); }
void append_fields(Bytes&, const BecameIdle&) {}
void append_fields(Bytes& to, const CycleFound& c) {
    append_varint(to, coded(c.first));
    append_varint(to, coded(c.second));
}
void append_fields(Bytes& to, const Overran& c) {
    append_varint(to, zigzag(c.took.count()));
    append_varint(to, zigzag(c.budget.count()));
}
void append_fields(Bytes& to, const SlowFound& c) {
    append_varint(to, coded(c.who));
    append_varint(to, zigzag(c.took.count()));
}
void append_fields(Bytes&, const TreeChanged&) {}

/// Reads the fields of a change one by one, and remembers whether one of them was invalid.
class Fields {
public:
    Fields(VarintReader& reader, const RecordedTree& tree) : reader_(reader), tree_(tree) {}
    bool right() const { return right_; }

    std::uint64_t number(std::uint64_t end) {
        const auto value = reader_.number();
        right_ = right_ && value && *value < end;
        return right_ ? *value : 0;
    }
    Who anybody() {
        const std::uint64_t value = number(tree_.ids.size() + 1);
        return value == 0 ? nobody : static_cast<Who>(value - 1);
    }
    Who somebody() {
        const Who who = anybody();
        right_ = right_ && who != nobody;
        return right_ ? who : 0;
    }
    template <class Enum>
    Enum one_of(Enum last) {
        return static_cast<Enum>(number(std::uint64_t{std::to_underlying(last)} + 1));
    }
    std::string_view text() {
        const auto value = reader_.text();
        right_ = right_ && value;
        return right_ ? *value : std::string_view();
    }
    Duration duration() {
        const auto value = reader_.number();
        right_ = right_ && value;
        return Duration(right_ ? unzigzag(*value) : 0);
    }
    ConditionChanged condition() {
        const Who who = somebody();
        const std::size_t count = right_ ? tree_.conditions[who].size() : 0;
        const std::uint64_t value = number(std::uint64_t{count} * 2);
        return {who, static_cast<std::uint32_t>(value / 2), value % 2 == 1};
    }

private:
    VarintReader& reader_;
    const RecordedTree& tree_;
    bool right_ = true;
};

constexpr auto last_outcome = Outcome::Kind::cancelled;

Change read_fields(std::size_t kind, Fields& f) {
    // Braces evaluate from left to right, which is the order of the fields in the bytes.
    static_assert(std::variant_size_v<Change> == 16, "a new change needs a line here");
    switch (kind) {
        case 0: return Pushed{f.somebody(), f.anybody()};
        case 1: return Popped{f.somebody(), f.one_of(last_outcome), f.text()};
        case 2: return Entered{f.somebody()};
        case 3: return Left{f.somebody()};
        case 4: return Refused{f.somebody(), f.one_of(Gate::delegates), f.text()};
        case 5: return Willing{f.somebody()};
        case 6: return f.condition();
        case 7: return ActionStarted{f.somebody(), f.text()};
        case 8: return ActionEnded{f.somebody(), f.one_of(last_outcome), f.text()};
        case 9: return RuleBroken{f.anybody(), f.one_of(Rule::last), f.text()};
        case 10: return StackReset{f.text()};
        case 11: return BecameIdle{};
        case 12: return CycleFound{f.somebody(), f.somebody()};
        case 13: return Overran{f.duration(), f.duration()};
        case 14: return SlowFound{f.somebody(), f.duration()};
        default: return TreeChanged{};
    }
}

}  // namespace

void append_tree(Bytes& to, const BehaviorTree& tree) {
    append_varint(to, tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        append_text(to, tree[i].id());
        append_varint(to, tree[i].conditions().size());
        for (const Condition* condition : tree[i].conditions()) append_text(to, condition->text());
    }
}

std::optional<RecordedTree> read_tree(VarintReader& reader) {
    RecordedTree tree;
    const auto size = reader.number();
    for (std::uint64_t i = 0; size && i < *size; ++i) {
        const auto id = reader.text();
        const auto conditions = reader.number();
        if (!id || !conditions) return std::nullopt;
        tree.ids.push_back(*id);
        tree.conditions.emplace_back();
        for (std::uint64_t j = 0; j < *conditions; ++j) {
            const auto text = reader.text();
            if (!text) return std::nullopt;
            tree.conditions.back().push_back(*text);
        }
    }
    return size ? std::optional(std::move(tree)) : std::nullopt;
}

void append_change(Bytes& to, const Change& change) {
    to.push_back(static_cast<std::byte>(change.index()));
    std::visit([&](const auto& c) { append_fields(to, c); }, change);
}

std::optional<Change> read_change(VarintReader& reader, const RecordedTree& tree) {
    const auto kind = reader.byte();
    if (!kind || *kind >= std::variant_size_v<Change>) return std::nullopt;
    Fields fields(reader, tree);
    Change change = read_fields(*kind, fields);
    return fields.right() ? std::optional(change) : std::nullopt;
}

}  // namespace caribou::behavior
