#include "adapters/dds/dds_transport.hpp"

#include <fmt/format.h>

#include "adapters/dds/dds_handles.hpp"
#include "adapters/dds/dds_messages.hpp"
#include "adapters/dds/dds_names.hpp"
#include "adapters/dds/dds_reader.hpp"
#include "adapters/dds/dds_sertype.hpp"
#include "adapters/dds/dds_writer.hpp"

namespace caribou {

/// Registers an endpoint in the table during its lifetime.
class DdsTransport::Listed {
public:
    Listed(std::shared_ptr<Table> table, std::set<negotiation::PeerId> Endpoints::* among,
           negotiation::PeerId id)
        : table_(std::move(table)), among_(among), id_(id) {
        (table_->endpoints.*among_).insert(id_);
        if (table_->on_changed) table_->on_changed();
    }
    Listed(const Listed&) = delete;
    Listed& operator=(const Listed&) = delete;
    ~Listed() {
        (table_->endpoints.*among_).erase(id_);
        if (table_->on_changed) table_->on_changed();
    }

private:
    std::shared_ptr<Table> table_;
    std::set<negotiation::PeerId> Endpoints::* among_;
    negotiation::PeerId id_;
};

class DdsWriter final : public negotiation::Writer {
public:
    DdsWriter(std::shared_ptr<DdsWriterCore> core, std::unique_ptr<DdsTransport::Listed> listed)
        : core_(std::move(core)), listed_(std::move(listed)) {}
    ~DdsWriter() override { core_->close(); }
    Result<void> write(const negotiation::Sample& sample) override { return core_->write(sample); }

private:
    std::shared_ptr<DdsWriterCore> core_;
    std::unique_ptr<DdsTransport::Listed> listed_;  ///< null: not in the table
};

class DdsReader final : public negotiation::Reader {
public:
    DdsReader(std::shared_ptr<DdsReaderCore> core, std::unique_ptr<DdsTransport::Listed> listed)
        : core_(std::move(core)), listed_(std::move(listed)) {}
    ~DdsReader() override { core_->close(); }

private:
    std::shared_ptr<DdsReaderCore> core_;
    std::unique_ptr<DdsTransport::Listed> listed_;
};

namespace {

struct OpenTopic {
    dds_entity_t handle;
    const ddsi_sertype* type;
};

Result<OpenTopic> open_plain(const DdsParticipant& participant, const std::string& name,
                             const std::string& type_name) {
    ddsi_sertype* type = make_opaque_type(type_name);
    const dds_entity_t handle =
        dds_create_topic_sertype(participant.handle(), name.c_str(), &type, nullptr, nullptr, nullptr);
    if (handle < 0) {
        ddsi_sertype_unref(type);
        return fail(dds_error(fmt::format("cannot open {}", name), handle));
    }
    return OpenTopic{handle, type};
}

Result<OpenTopic> open_topic(const DdsParticipant& participant, const negotiation::Topic& topic) {
    const auto name = to_dds_topic(topic.name);
    if (!name) return fail(name.error());
    const auto type_name = to_dds_type(topic.type);
    if (!type_name) return fail(type_name.error());
    return open_plain(participant, *name, *type_name);
}

Result<std::shared_ptr<DdsWriterCore>> open_writer(DdsParticipant& participant, EventLoop& loop,
                                                   DdsHooks hooks, const Result<OpenTopic>& topic,
                                                   const negotiation::TopicQos& qos,
                                                   negotiation::WriterEvents& events) {
    if (!topic) return fail(topic.error());
    auto core = std::make_shared<DdsWriterCore>(loop, participant.handle(), std::move(hooks), events);
    if (auto started = core->start(participant.handle(), topic->handle, *topic->type, qos); !started) {
        dds_delete(topic->handle);
        return fail(std::move(started.error()));
    }
    return core;
}

Result<std::shared_ptr<DdsReaderCore>> open_reader(DdsParticipant& participant, EventLoop& loop,
                                                   DdsHooks hooks, const Result<OpenTopic>& topic,
                                                   const negotiation::TopicQos& qos,
                                                   negotiation::ReaderEvents& events) {
    if (!topic) return fail(topic.error());
    auto core = std::make_shared<DdsReaderCore>(loop, participant.handle(), std::move(hooks), events);
    if (auto started = core->start(participant.handle(), topic->handle, *topic->type, qos); !started) {
        dds_delete(topic->handle);
        return fail(std::move(started.error()));
    }
    return core;
}

template <class Table>
DdsHooks hooks_of(const std::shared_ptr<Table>& table) {
    return {.report =
                [table](const std::string& text) {
                    ++table->mismatches_reported;
                    if (table->on_problem) table->on_problem(text);
                },
            .node_of = [table](const negotiation::PeerId& id) { return table->ros_peers.node_of(id); }};
}

}  // namespace

/// Receives the announcements of ROS 2 nodes, and the messages of DDS.
class DdsTransport::Discovery final : public negotiation::ReaderEvents {
public:
    Discovery(DdsParticipant& participant, EventLoop& loop, std::shared_ptr<Table> table)
        : participant_(participant),
          table_(std::move(table)),
          messages_([&loop, weak = std::weak_ptr(table_)](const std::string& text) {
              loop.post_from_any_thread([weak, text] {
                  const auto there = weak.lock();
                  if (there && there->on_problem) there->on_problem("DDS: " + text);
              });
          }) {
        const auto topic = open_plain(participant, ros_discovery_topic, ros_discovery_type);
        constexpr negotiation::TopicQos qos{.durability = negotiation::Durability::transient_local};
        auto core = open_reader(
            participant, loop,
            {.report = [](const std::string&) {}, .node_of = [](const auto&) { return std::nullopt; }}, topic,
            qos, *this);
        if (core) core_ = std::move(*core);
    }
    Discovery(const Discovery&) = delete;
    Discovery& operator=(const Discovery&) = delete;
    ~Discovery() {
        if (core_) core_->close();
    }

private:
    void on_sample(const negotiation::Peer& writer, const negotiation::Sample& sample) override {
        if (participant_.owns(writer.id)) return;
        auto discovery = negotiation::decode_ros_discovery(sample.bytes());
        if (!discovery) return;
        const auto known = follows_.find(writer.id);
        const bool follows = known != follows_.end()
                                 ? known->second
                                 : (follows_[writer.id] = is_of_caribou(participant_.handle(), writer.id));
        table_->ros_peers.hear(writer.id, std::move(*discovery), follows);
        on_changed();
    }
    void on_writer_gone(const negotiation::Peer& writer) override {
        follows_.erase(writer.id);
        table_->ros_peers.forget(writer.id);
        on_changed();
    }
    void on_changed() {
        const auto mixed = table_->ros_peers.mixed();
        if (mixed && !was_mixed_ && table_->on_problem) table_->on_problem(*mixed);
        was_mixed_ = mixed.has_value();
        if (table_->on_ros_peers_changed) table_->on_ros_peers_changed();
    }

    DdsParticipant& participant_;
    std::shared_ptr<Table> table_;
    std::shared_ptr<DdsReaderCore> core_;  ///< null if DDS refused it
    std::map<negotiation::PeerId, bool> follows_;
    bool was_mixed_ = false;
    DdsMessages::Listener messages_;
};

DdsTransport::DdsTransport(DdsParticipant& participant, EventLoop& loop,
                           std::function<void(const std::string&)> on_problem)
    : participant_(participant),
      loop_(loop),
      table_(std::make_shared<Table>()),
      discovery_(std::make_unique<Discovery>(participant, loop, table_)) {
    table_->on_problem = std::move(on_problem);
}

DdsTransport::~DdsTransport() = default;

Result<void> DdsTransport::admit(const negotiation::Topic& topic, const negotiation::TopicQos& qos) const {
    if (auto good = negotiation::check_topic(topic, qos); !good) return good;
    const std::size_t there = endpoints().writers.size() + endpoints().readers.size();
    if (there < max_endpoints) return {};
    return fail(Code::limit_exceeded,
                fmt::format("{} would be writer or reader {} of this process; {} are allowed", topic.name,
                            there + 1, max_endpoints));
}

Result<std::unique_ptr<negotiation::Writer>> DdsTransport::advertise(const negotiation::Topic& topic,
                                                                     const negotiation::TopicQos& qos,
                                                                     negotiation::WriterEvents& events) {
    if (auto admitted = admit(topic, qos); !admitted) return fail(std::move(admitted.error()));
    auto core =
        open_writer(participant_, loop_, hooks_of(table_), open_topic(participant_, topic), qos, events);
    if (!core) return fail(std::move(core.error()));
    auto listed = std::make_unique<Listed>(table_, &Endpoints::writers, (*core)->id());
    return std::make_unique<DdsWriter>(std::move(*core), std::move(listed));
}

Result<std::unique_ptr<negotiation::Writer>> DdsTransport::advertise_plain(
    const std::string& dds_topic, const std::string& dds_type, const negotiation::TopicQos& qos,
    negotiation::WriterEvents& events) {
    auto core = open_writer(participant_, loop_, hooks_of(table_),
                            open_plain(participant_, dds_topic, dds_type), qos, events);
    if (!core) return fail(std::move(core.error()));
    return std::make_unique<DdsWriter>(std::move(*core), nullptr);
}

Result<std::unique_ptr<negotiation::Reader>> DdsTransport::subscribe(const negotiation::Topic& topic,
                                                                     const negotiation::TopicQos& qos,
                                                                     negotiation::ReaderEvents& events) {
    if (auto admitted = admit(topic, qos); !admitted) return fail(std::move(admitted.error()));
    auto core =
        open_reader(participant_, loop_, hooks_of(table_), open_topic(participant_, topic), qos, events);
    if (!core) return fail(std::move(core.error()));
    auto listed = std::make_unique<Listed>(table_, &Endpoints::readers, (*core)->id());
    return std::make_unique<DdsReader>(std::move(*core), std::move(listed));
}

}  // namespace caribou
