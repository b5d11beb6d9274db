#include "platform/dds_transport.hpp"

#include <fmt/format.h>

#include "platform/dds_names.hpp"
#include "platform/dds_reader.hpp"
#include "platform/dds_sertype.hpp"
#include "platform/dds_writer.hpp"

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
                                                   const Result<OpenTopic>& topic,
                                                   const negotiation::TopicQos& qos,
                                                   negotiation::WriterEvents& events) {
    if (!topic) return fail(topic.error());
    auto core = std::make_shared<DdsWriterCore>(loop, participant.handle(), events);
    if (auto started = core->start(participant.handle(), topic->handle, *topic->type, qos); !started) {
        dds_delete(topic->handle);
        return fail(std::move(started.error()));
    }
    return core;
}

}  // namespace

DdsTransport::DdsTransport(DdsParticipant& participant, EventLoop& loop)
    : participant_(participant), loop_(loop), table_(std::make_shared<Table>()) {}

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
    auto core = open_writer(participant_, loop_, open_topic(participant_, topic), qos, events);
    if (!core) return fail(std::move(core.error()));
    auto listed = std::make_unique<Listed>(table_, &Endpoints::writers, (*core)->id());
    return std::make_unique<DdsWriter>(std::move(*core), std::move(listed));
}

Result<std::unique_ptr<negotiation::Writer>> DdsTransport::advertise_plain(
    const std::string& dds_topic, const std::string& dds_type, const negotiation::TopicQos& qos,
    negotiation::WriterEvents& events) {
    auto core = open_writer(participant_, loop_, open_plain(participant_, dds_topic, dds_type), qos, events);
    if (!core) return fail(std::move(core.error()));
    return std::make_unique<DdsWriter>(std::move(*core), nullptr);
}

Result<std::unique_ptr<negotiation::Reader>> DdsTransport::subscribe(const negotiation::Topic& topic,
                                                                     const negotiation::TopicQos& qos,
                                                                     negotiation::ReaderEvents& events) {
    if (auto admitted = admit(topic, qos); !admitted) return fail(std::move(admitted.error()));
    const auto opened = open_topic(participant_, topic);
    if (!opened) return fail(opened.error());
    auto core = std::make_shared<DdsReaderCore>(loop_, participant_.handle(), events);
    if (auto started = core->start(participant_.handle(), opened->handle, qos); !started) {
        dds_delete(opened->handle);
        return fail(std::move(started.error()));
    }
    auto listed = std::make_unique<Listed>(table_, &Endpoints::readers, core->id());
    return std::make_unique<DdsReader>(std::move(core), std::move(listed));
}

}  // namespace caribou
