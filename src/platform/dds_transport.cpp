#include "platform/dds_transport.hpp"

#include <fmt/format.h>

#include "platform/dds_names.hpp"
#include "platform/dds_reader.hpp"
#include "platform/dds_sertype.hpp"
#include "platform/dds_writer.hpp"

namespace caribou {
namespace {

/// Counts an endpoint while it is there.
class Counted {
public:
    explicit Counted(std::shared_ptr<std::size_t> count) : count_(std::move(count)) { ++*count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --*count_; }

private:
    std::shared_ptr<std::size_t> count_;
};

class DdsWriter final : public negotiation::Writer {
public:
    DdsWriter(std::shared_ptr<DdsWriterCore> core, std::shared_ptr<std::size_t> count)
        : core_(std::move(core)), counted_(std::move(count)) {}
    ~DdsWriter() override { core_->close(); }
    Result<void> write(const negotiation::Sample& sample) override { return core_->write(sample); }

private:
    std::shared_ptr<DdsWriterCore> core_;
    Counted counted_;
};

class DdsReader final : public negotiation::Reader {
public:
    DdsReader(std::shared_ptr<DdsReaderCore> core, std::shared_ptr<std::size_t> count)
        : core_(std::move(core)), counted_(std::move(count)) {}
    ~DdsReader() override { core_->close(); }

private:
    std::shared_ptr<DdsReaderCore> core_;
    Counted counted_;
};

struct OpenTopic {
    dds_entity_t handle;
    const ddsi_sertype* type;
};

Result<OpenTopic> open_topic(const DdsParticipant& participant, const negotiation::Topic& topic) {
    const auto name = to_dds_topic(topic.name);
    if (!name) return fail(name.error());
    const auto type_name = to_dds_type(topic.type);
    if (!type_name) return fail(type_name.error());
    ddsi_sertype* type = make_opaque_type(*type_name);
    const dds_entity_t handle =
        dds_create_topic_sertype(participant.handle(), name->c_str(), &type, nullptr, nullptr, nullptr);
    if (handle < 0) {
        ddsi_sertype_unref(type);
        return fail(dds_error(fmt::format("cannot open {}", topic.name), handle));
    }
    return OpenTopic{handle, type};
}

}  // namespace

DdsTransport::DdsTransport(DdsParticipant& participant, EventLoop& loop)
    : participant_(participant), loop_(loop), endpoints_(std::make_shared<std::size_t>(0)) {}

DdsTransport::~DdsTransport() = default;

Result<void> DdsTransport::admit(const negotiation::Topic& topic, const negotiation::TopicQos& qos) const {
    if (auto good = negotiation::check_topic(topic, qos); !good) return good;
    if (*endpoints_ < max_endpoints) return {};
    return fail(Code::limit_exceeded,
                fmt::format("{} would be writer or reader {} of this process; {} are allowed", topic.name,
                            *endpoints_ + 1, max_endpoints));
}

Result<std::unique_ptr<negotiation::Writer>> DdsTransport::advertise(const negotiation::Topic& topic,
                                                                     const negotiation::TopicQos& qos,
                                                                     negotiation::WriterEvents& events) {
    if (auto admitted = admit(topic, qos); !admitted) return fail(std::move(admitted.error()));
    const auto opened = open_topic(participant_, topic);
    if (!opened) return fail(opened.error());
    auto core = std::make_shared<DdsWriterCore>(loop_, participant_.handle(), events);
    if (auto started = core->start(participant_.handle(), opened->handle, *opened->type, qos); !started) {
        dds_delete(opened->handle);
        return fail(std::move(started.error()));
    }
    return std::make_unique<DdsWriter>(std::move(core), endpoints_);
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
    return std::make_unique<DdsReader>(std::move(core), endpoints_);
}

}  // namespace caribou
