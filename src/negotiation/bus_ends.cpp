#include "negotiation/bus_ends.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>

namespace caribou::negotiation {
namespace {

std::string variable_of(const Topic& topic, std::string_view client, std::size_t number) {
    return fmt::format("{}#{}.{}", topic.name, client, number);
}

/// Returns the variable on which readers send notes to the writer of `variable`.
std::string ear_of(std::string_view variable) { return fmt::format("@{}", variable); }

/// Returns the pattern that matches the variables of all writers of a topic.
std::string pattern_of(const std::string& topic) { return topic + "#*"; }

/// FNV-1a. The result differs between clients and connections, and needs no random numbers.
std::uint64_t mixed(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

WallTime wall_of(double unix_seconds) {
    return WallTime{std::chrono::round<std::chrono::microseconds>(from_seconds(unix_seconds))};
}

bus::ClientOptions without_memory(bus::ClientOptions options) {
    // Messages queued for the peers of a lost connection are meaningless to those of the next one.
    options.on_loss = bus::OnLoss::drop;
    // Samples keep the stamps assigned by their publisher.
    options.correct_skew = bus::SkewCorrection::off;
    return options;
}

}  // namespace

BusEnds::BusEnds(Loop& loop, Network& network, bus::ClientOptions options)
    : loop_(loop), client_(loop, network, without_memory(std::move(options))) {
    client_.on_connected([this] { on_connected(); });
    client_.on_disconnected([this](const Error&) { on_disconnected(); });
    client_.on_other_mail([this](const wire::MessageView& message) { on_mail(message); });
    // Cannot fail: these are the first registrations.
    static_cast<void>(client_.register_variable("DB_EVENT"));
    static_cast<void>(client_.register_variable("DB_CLIENTS"));
}

BusEnds::~BusEnds() {
    client_.on_connected({});
    client_.on_disconnected({});
    client_.on_other_mail({});
}

// Adding and removing writers and readers.

std::size_t BusEnds::free_number(const Topic& topic) const {
    std::set<std::size_t> taken;
    if (const auto found = writers_.find(topic.name); found != writers_.end())
        for (const auto& writer : found->second) taken.insert(writer->number);
    std::size_t number = 1;
    while (taken.contains(number)) ++number;
    return number;
}

Result<std::shared_ptr<BusWriterEnd>> BusEnds::add_writer(const Topic& topic, const TopicQos& qos,
                                                          WriterEvents& events) {
    const std::size_t number = free_number(topic);
    std::string variable = variable_of(topic, client_.options().name, number);
    std::string ear = ear_of(variable);
    if (auto registered = client_.register_variable(ear); !registered)
        return fail(std::move(registered.error()));
    auto writer = std::make_shared<BusWriterEnd>(
        BusWriterEnd{next_id(), topic, qos, &events, number, std::move(variable), std::move(ear)});
    writers_[topic.name].push_back(writer);
    if (connected()) tell(*writer, WriterNote::Kind::hello, 0, nullptr, nullptr);
    return writer;
}

Result<std::shared_ptr<BusReaderEnd>> BusEnds::add_reader(const Topic& topic, const TopicQos& qos,
                                                          ReaderEvents& events) {
    auto& readers = readers_[topic.name];
    if (readers.empty())
        if (auto registered = client_.register_wildcard(pattern_of(topic.name), "*"); !registered) {
            readers_.erase(topic.name);
            return fail(std::move(registered.error()));
        }
    auto reader = std::make_shared<BusReaderEnd>(BusReaderEnd{next_id(), topic, qos, &events});
    readers.push_back(reader);
    for (const auto& [variable, known] : known_[topic.name]) ask(*reader, known, ReaderNote::Kind::join);
    return reader;
}

void BusEnds::remove(const std::shared_ptr<BusWriterEnd>& writer) {
    writer->events = nullptr;
    if (connected()) tell(*writer, WriterNote::Kind::bye, writer->sequence, nullptr, nullptr);
    static_cast<void>(client_.unregister_variable(writer->ear));  // if this fails, its messages are ignored
    std::erase(writers_[writer->topic.name], writer);
    if (writers_[writer->topic.name].empty()) writers_.erase(writer->topic.name);
}

void BusEnds::remove(const std::shared_ptr<BusReaderEnd>& reader) {
    reader->events = nullptr;
    for (const auto& [variable, known] : known_[reader->topic.name])
        ask(*reader, known, ReaderNote::Kind::leave);
    auto& readers = readers_[reader->topic.name];
    std::erase(readers, reader);
    if (!readers.empty()) return;
    static_cast<void>(client_.unregister_wildcard(pattern_of(reader->topic.name), "*"));
    readers_.erase(reader->topic.name);
    known_.erase(reader->topic.name);
}

// Sending.

bool BusEnds::tell(const BusWriterEnd& writer, WriterNote::Kind kind, std::uint64_t sequence,
                   const Sample* sample, const PeerId* reader) {
    WriterNote note{.kind = kind,
                    .writer = writer.id,
                    .sequence = sequence,
                    .qos = writer.qos,
                    .type = writer.topic.type};
    if (reader != nullptr) note.reader = *reader;
    const std::string aux = to_text(note);
    bus::NotifyOptions with{.aux = aux};
    if (sample != nullptr) with.time = to_unix_seconds(sample->stamp());
    return client_.notify(writer.variable, sample != nullptr ? ByteView(sample->bytes()) : ByteView{}, with)
        .has_value();
}

Result<void> BusEnds::write(BusWriterEnd& writer, const Sample& sample) {
    ++writer.sequence;
    if (writer.qos.durability == Durability::transient_local) {
        if (writer.kept.size() >= writer.qos.depth) writer.kept.pop_front();
        writer.kept.emplace_back(writer.sequence, sample);
    }
    if (writer.readers.empty()) return {};
    if (!tell(writer, WriterNote::Kind::sample, writer.sequence, &sample, nullptr))
        return fail(Code::limit_exceeded,
                    fmt::format("{}: the way to the broker is full; write less, or wait", writer.topic.name));
    return {};
}

void BusEnds::ask(const BusReaderEnd& reader, const Known& writer, ReaderNote::Kind kind) {
    if (writer.note.type != reader.topic.type || !suits(writer.note.qos, reader.qos)) return;
    const ReaderNote note{kind, reader.id, writer.note.writer, reader.qos.durability};
    static_cast<void>(client_.notify(writer.ear, to_text(note)));  // if full, the connection is about to end
}

// Receiving.

void BusEnds::on_connected() {
    incarnation_ =
        mixed(fmt::format("{} {} {} {}", client_.options().name, ++connections_, client_.options().seed,
                          loop_.clock().wall().time_since_epoch().count()));
    for (const auto& [topic, readers] : readers_)
        for (const auto& reader : readers) reader->id = next_id();
    for (const auto& [topic, writers] : writers_)
        for (const auto& writer : writers) {
            writer->id = next_id();
            tell(*writer, WriterNote::Kind::hello, writer->sequence, nullptr, nullptr);
        }
}

void BusEnds::on_disconnected() {
    known_.clear();
    lose([](const std::string&) { return true; });
}

void BusEnds::on_mail(const wire::MessageView& message) {
    if (message.key == "DB_EVENT") {
        constexpr std::string_view lost = "disconnected=";
        if (message.payload.starts_with(lost)) lose_client(message.payload.substr(lost.size()));
        return;
    }
    if (message.key == "DB_CLIENTS") return on_clients(message.payload);
    if (message.key.starts_with('@')) return on_reader(message);
    if (const std::size_t hash = message.key.find('#'); hash != std::string_view::npos)
        on_writer(std::string(message.key.substr(0, hash)), message);
}

void BusEnds::on_writer(const std::string& topic, const wire::MessageView& message) {
    const auto readers = readers_.find(topic);
    if (readers == readers_.end()) return;
    auto note = parse_writer_note(message.aux);
    if (!note) return;  // not one of ours, or from a newer version
    const std::string variable(message.key);
    auto& known = known_[topic];
    const auto before = known.find(variable);
    const bool is_new = before == known.end() || before->second.note.writer != note->writer;
    const bool is_bye = note->kind == WriterNote::Kind::bye;
    const Known writer{std::move(*note), std::string(message.source), ear_of(variable)};
    const std::optional<PeerId> replaced =
        is_new && before != known.end() ? std::optional(before->second.note.writer) : std::nullopt;
    if (is_bye)
        known.erase(variable);
    else
        known.insert_or_assign(variable, writer);

    for (const auto& reader : std::vector(readers->second)) {  // a copy: callbacks may change the list
        for (const auto& gone : {replaced, is_bye ? std::optional(writer.note.writer) : std::nullopt}) {
            const auto heard = gone ? reader->writers.find(*gone) : reader->writers.end();
            if (heard == reader->writers.end()) continue;
            const Peer peer = heard->second.peer;
            reader->writers.erase(heard);
            if (reader->events != nullptr) reader->events->on_writer_gone(peer);
        }
        if (is_bye || reader->events == nullptr) continue;
        if (is_new) ask(*reader, writer, ReaderNote::Kind::join);
        hear(*reader, writer, message);
    }
}

void BusEnds::hear(BusReaderEnd& reader, const Known& writer, const wire::MessageView& message) {
    const WriterNote& note = writer.note;
    const bool is_for_me = note.reader == reader.id;
    if (note.kind == WriterNote::Kind::welcome && is_for_me) {
        const Peer peer{note.writer, writer.client};
        if (reader.writers.emplace(note.writer, BusReaderEnd::Heard{peer, note.sequence}).second)
            reader.events->on_writer_joined(peer);
        return;
    }
    const auto heard = reader.writers.find(note.writer);
    if (heard == reader.writers.end()) return;
    if (note.kind == WriterNote::Kind::sample) {
        if (note.sequence <= heard->second.sequence) return;
        heard->second.sequence = note.sequence;
    } else if (note.kind != WriterNote::Kind::again || !is_for_me) {
        return;
    }
    const auto bytes = bytes_of(message.payload);
    const Peer peer = heard->second.peer;
    reader.events->on_sample(
        peer, Sample(std::make_shared<const Bytes>(bytes.begin(), bytes.end()), wall_of(message.time)));
}

void BusEnds::on_reader(const wire::MessageView& message) {
    const auto note = parse_reader_note(message.payload);
    if (!note) return;
    const std::string_view variable = message.key.substr(1);
    const auto topic = writers_.find(std::string(variable.substr(0, variable.find('#'))));
    if (topic == writers_.end()) return;
    for (const auto& writer : std::vector(topic->second)) {
        if (writer->variable != variable || writer->id != note->writer) continue;
        if (note->kind == ReaderNote::Kind::join)
            return welcome(*writer, {note->reader, std::string(message.source)}, *note);
        const auto known = writer->readers.find(note->reader);
        if (known == writer->readers.end()) return;
        const Peer peer = known->second;
        writer->readers.erase(known);
        if (writer->events != nullptr) writer->events->on_reader_gone(peer);
    }
}

void BusEnds::welcome(BusWriterEnd& writer, const Peer& reader, const ReaderNote& note) {
    if (!writer.readers.emplace(reader.id, reader).second) return;
    tell(writer, WriterNote::Kind::welcome, writer.sequence, nullptr, &reader.id);
    if (note.durability == Durability::transient_local)
        for (const auto& [sequence, sample] : writer.kept)
            tell(writer, WriterNote::Kind::again, sequence, &sample, &reader.id);
    writer.events->on_reader_joined(reader);
}

// Lost peers.

void BusEnds::on_clients(std::string_view names) {
    std::set<std::string, std::less<>> present;
    for (const auto part : std::views::split(names, ',')) present.emplace(part.begin(), part.end());
    lose([&](const std::string& client) { return !present.contains(client); });
}

void BusEnds::lose_client(std::string_view client) {
    lose([&](const std::string& other) { return other == client; });
}

template <class Lost>
void BusEnds::lose(Lost is_lost) {
    for (auto& [topic, known] : known_)
        std::erase_if(known, [&](const auto& item) { return is_lost(item.second.client); });
    std::vector<std::pair<std::shared_ptr<BusReaderEnd>, Peer>> lost_writers;
    for (const auto& [topic, readers] : readers_)
        for (const auto& reader : readers)
            std::erase_if(reader->writers, [&](const auto& item) {
                const bool lost = is_lost(item.second.peer.name);
                if (lost) lost_writers.emplace_back(reader, item.second.peer);
                return lost;
            });
    std::vector<std::pair<std::shared_ptr<BusWriterEnd>, Peer>> lost_readers;
    for (const auto& [topic, writers] : writers_)
        for (const auto& writer : writers)
            std::erase_if(writer->readers, [&](const auto& item) {
                const bool lost = is_lost(item.second.name);
                if (lost) lost_readers.emplace_back(writer, item.second);
                return lost;
            });
    for (const auto& [reader, peer] : lost_writers)
        if (reader->events != nullptr) reader->events->on_writer_gone(peer);
    for (const auto& [writer, peer] : lost_readers)
        if (writer->events != nullptr) writer->events->on_reader_gone(peer);
}

}  // namespace caribou::negotiation
