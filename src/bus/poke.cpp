#include "bus/poke.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bus/message_text.hpp"

namespace caribou::bus {
namespace {

std::string_view plural(wire::DataType type) {
    return type == wire::DataType::number ? "numbers" : type == wire::DataType::string ? "strings" : "binary";
}

/// Returns why a value cannot be written to a variable that holds `held`; empty if it can.
std::string clash(const Assignment& value, const wire::Message& held) {
    if (value.type == held.data_type) return {};
    const bool is_a_matter_of_spelling = held.is_string() && value.type == wire::DataType::number;
    const std::string hint = is_a_matter_of_spelling ? fmt::format("; write {}:=VALUE", value.key) : "";
    return fmt::format("{} holds {} (`{}`, written by {}); a {} is refused{}", value.key,
                       plural(held.data_type), value_text(wire::view(held), 40), held.source,
                       type_name(value.type), hint);
}

/// As in uPokeDB: the time of the community, as a string.
bool means_time(const Assignment& value) {
    return value.type == wire::DataType::string && (value.text == "@MOOSTIME" || value.text == "@UTC");
}

Result<void> write_one(Client& client, const Assignment& value) {
    const auto pushed = value.type == wire::DataType::number ? client.notify(value.key, value.number)
                        : value.type == wire::DataType::string
                            ? client.notify(value.key, value.text)
                            : client.notify(value.key, bytes_of(value.text));
    if (!pushed) return fail(pushed.error());
    return {};
}

}  // namespace

Poke::Poke(Client& client, std::vector<Assignment> values)
    : client_(client), values_(std::move(values)), arrived_(values_.size()) {}

Poke::~Poke() {
    for (const Assignment& value : values_) client_.on_mail(value.key, {});
}

void Poke::start(Done done) {
    done_ = std::move(done);
    for (const Assignment& value : values_) {
        client_.on_mail(value.key, [this](const wire::MessageView& message) { hear(message); });
        if (auto asked = client_.register_variable(value.key); !asked) return end(std::move(asked));
    }
    then(&Poke::write);
}

void Poke::hear(const wire::MessageView& message) {
    if (!written_) {
        held_.insert_or_assign(std::string(message.key), wire::own(message));
        return;
    }
    if (message.source != client_.options().name) return;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (arrived_[i] || !values_[i].is_in(message)) continue;
        arrived_[i] = true;
        return;
    }
}

void Poke::then(void (Poke::*next)()) {
    auto asked =
        client_.server_request("VAR_SUMMARY", [this, next](Result<std::vector<wire::Message>> answer) {
            if (!answer) return end(fail(std::move(answer.error())));
            (this->*next)();
        });
    if (!asked) end(std::move(asked));
}

void Poke::write() {
    std::string clashes;
    for (const Assignment& value : values_) {
        const auto held = held_.find(value.key);
        const std::string why = held == held_.end() ? "" : clash(value, held->second);
        if (!why.empty()) clashes += (clashes.empty() ? "" : "\n") + why;
    }
    if (!clashes.empty()) return end(fail(Code::refused, std::move(clashes)));
    written_ = true;
    for (Assignment& value : values_)
        if (means_time(value)) value.text = fmt::format("{:.2f}", client_.stamp());
    for (const Assignment& value : values_)
        if (auto wrote = write_one(client_, value); !wrote) return end(std::move(wrote));
    then(&Poke::verify);
}

void Poke::verify() {
    const auto missing = std::ranges::find(arrived_, false);
    if (missing == arrived_.end()) return end({});
    const Assignment& value = values_[static_cast<std::size_t>(missing - arrived_.begin())];
    end(fail(Code::refused, fmt::format("the broker did not accept {}; see its log", value.key)));
}

void Poke::end(Result<void> outcome) {
    if (auto done = std::exchange(done_, {})) done(std::move(outcome));
}

}  // namespace caribou::bus
