#include "robot/bus_view.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "base/suggestion.hpp"
#include "base/words.hpp"

namespace caribou::robot {
namespace {

constexpr std::size_t longest_text = 400;
constexpr std::size_t most_pins = 64;

void set_value(data::BusVariable& variable, const bus::Board::Row& row) {
    switch (row.type) {
        case wire::DataType::number:
            variable.type = "double";
            variable.number = row.number;
            break;
        case wire::DataType::string:
            variable.type = "string";
            variable.text = row.text.substr(0, longest_text);
            variable.cut = row.text.size() > longest_text;
            break;
        case wire::DataType::binary:
            variable.type = "binary";
            variable.bytes = row.text.size();
            break;
        default: break;
    }
}

/// Parses `a:b:c`.
std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(':'), text.size());
        if (end > 0) names.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

/// Parses DB_RWSUMMARY: `name=read1:read2&written1:written2,`
std::vector<data::BusClient> clients_in(std::string_view summary) {
    std::vector<data::BusClient> clients;
    while (!summary.empty()) {
        const std::size_t end = std::min(summary.find(','), summary.size());
        const std::string_view one = summary.substr(0, end);
        const std::size_t equals = one.find('=');
        const std::size_t border = one.find('&');
        if (equals != std::string_view::npos && border != std::string_view::npos && border > equals)
            clients.push_back({.name = std::string(one.substr(0, equals)),
                               .publishes = names_in(one.substr(border + 1)),
                               .subscribes = names_in(one.substr(equals + 1, border - equals - 1))});
        summary.remove_prefix(std::min(end + 1, summary.size()));
    }
    return clients;
}

}  // namespace

BusView::BusView(Loop& loop, bus::Client& client, Place place)
    : loop_(loop), client_(client), place_(std::move(place)), self_(std::make_shared<BusView*>(this)) {}
BusView::~BusView() = default;

void BusView::refresh(std::function<void(BusView&, Result<void>)> then) {
    const auto asked = client_.server_request(
        board_.request(), [weak = std::weak_ptr(self_), then](Result<std::vector<wire::Message>> answer) {
            const auto self = weak.lock();
            if (!self) return;
            BusView& view = **self;
            if (answer)
                view.board_.take(*answer, view.loop_.clock().now());
            else if (answer.error().code == Code::timed_out)
                view.board_.ask_for_all();
            then(view, answer ? Result<void>() : fail(std::move(answer.error())));
        });
    if (!asked) then(*this, fail(asked.error()));
}

void BusView::ask(TellView tell) {
    if (!client_.connected()) return tell(to_json(picture()));
    refresh([tell = std::move(tell)](const BusView& view, const Result<void>&) {
        tell(to_json(view.picture()));
    });
}

data::Bus BusView::picture() const {
    const Instant now = loop_.clock().now();
    const double unix_now = loop_.clock().unix_seconds();
    data::Bus bus{.broker = place_.broker,
                  .connected = client_.connected(),
                  .hosted = place_.hosted,
                  .community = client_.community()};
    for (const auto& [name, row] : board_.rows()) {
        if (!row.written) continue;
        data::BusVariable& variable = bus.variables.emplace_back();
        variable.name = name;
        set_value(variable, row);
        variable.source = row.source;
        variable.at = unix_now - board_.age(row, now);
        variable.rate = board_.rate(row, now);
        variable.pinned = pins_.contains(name);
    }
    if (const bus::Board::Row* const clients = board_.find("DB_RWSUMMARY"))
        bus.clients = clients_in(clients->text);
    return bus;
}

Result<void> BusView::write(const std::string& name, const std::string& value) {
    const bus::Board::Row* const row = board_.find(name);
    const auto number = row && row->type == wire::DataType::string ? std::nullopt : number_in(value);
    const auto written = number ? client_.notify(name, *number) : client_.notify(name, value);
    return written ? Result<void>() : fail(written.error());
}

void BusView::hold(const std::string& name, const wire::MessageView& mail) {
    // Our own value is delivered back, too.
    const auto pin = pins_.find(name);
    if (pin != pins_.end() && mail.source != client_.options().name) std::ignore = write(name, pin->second);
}

void BusView::command(std::string_view line, Told told) {
    const std::vector<std::string> words = words_in(line);
    auto answered = answer(words);
    if (!answered || !answered->empty()) return told(std::move(answered));
    poke(words[1], words[2], words[0] == "pin", std::move(told));
}

/// Returns the answer or an error; empty for `poke` and `pin`, which must be executed.
Result<std::string> BusView::answer(const std::vector<std::string>& words) {
    static const std::vector<std::string> known{"poke", "pin", "unpin", "show", "help"};
    const std::string_view word = words.empty() ? "" : std::string_view(words[0]);
    if (word == "help")
        return std::string(
            "poke NAME VALUE: write a variable once\n"
            "pin NAME VALUE: write it, and again whenever another client does\n"
            "unpin NAME: release it\n"
            "show: the broker, and what is pinned\n");
    if (word == "show") {
        std::string text = fmt::format("{}, {}connected\n", place_.broker, client_.connected() ? "" : "not ");
        for (const auto& [name, value] : pins_) text += fmt::format("pinned: {} = {}\n", name, value);
        return text;
    }
    if (std::ranges::find(known, word) == known.end())
        return fail(Code::invalid_argument,
                    fmt::format("there is no `{}` for the bus{}", word, instead_of(word, known)));
    if (words.size() != (word == "unpin" ? 2U : 3U))
        return fail(Code::invalid_argument, fmt::format("it is `{} NAME{}`; quote a value with blanks", word,
                                                        word == "unpin" ? "" : " VALUE"));
    if (!client_.connected()) return fail(Code::unavailable, "there is no connection to the bus at present");
    if (word != "unpin") return std::string();
    const std::string& name = words[1];
    if (pins_.erase(name) == 0) return fail(Code::not_found, fmt::format("{} is not pinned", name));
    std::ignore = client_.unregister_variable(name);
    client_.on_mail(name, {});
    return name + " is free again\n";
}

void BusView::poke(const std::string& name, const std::string& value, bool pins, Told told) {
    refresh([=](BusView& view, Result<void> known) {
        if (!known) return told(fail(std::move(known.error())));
        const bus::Board::Row* const row = view.board_.find(name);
        const bool holds_number = row && row->type == wire::DataType::number && row->written;
        if (holds_number && !number_in(value))
            return told(fail(Code::invalid_argument,
                             fmt::format("{} holds numbers ({}, written by {}); `{}` is not a number", name,
                                         number_text(row->number), row->source, value)));
        if (row && row->type == wire::DataType::binary)
            return told(fail(Code::invalid_argument, fmt::format("{} holds binary data", name)));
        auto done = pins ? view.pin(name, value) : Result<void>();
        if (done) done = view.write(name, value);
        if (!done) return told(fail(std::move(done.error())));
        const double before = row ? row->written.value_or(-1) : -1;
        view.refresh([=](const BusView& after, Result<void> heard) {
            told(heard ? after.outcome(name, value, before) : fail(std::move(heard.error())));
        });
    });
}

/// Returns the value of the variable after a write; `before` is when it was last written before.
Result<std::string> BusView::outcome(const std::string& name, const std::string& value, double before) const {
    const bus::Board::Row* const row = board_.find(name);
    if (!row || row->written <= before)
        return fail(Code::unavailable,
                    fmt::format("the broker did not accept {}; its log may have the reason", name));
    if (row->source == client_.options().name) return fmt::format("{} = {}\n", name, value);
    return fmt::format(
        "{} was written, and {} has written {} since; pin it to keep the value\n", name, row->source,
        row->type == wire::DataType::number ? number_text(row->number) : row->text.substr(0, longest_text));
}

Result<void> BusView::pin(const std::string& name, const std::string& value) {
    if (pins_.size() >= most_pins && !pins_.contains(name))
        return fail(Code::unavailable, fmt::format("{} variables are pinned already", most_pins));
    pins_[name] = value;
    client_.on_mail(name, [this, name](const wire::MessageView& mail) { hold(name, mail); });
    return client_.register_variable(name);
}

}  // namespace caribou::robot
