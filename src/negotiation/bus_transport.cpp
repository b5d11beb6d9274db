#include "negotiation/bus_transport.hpp"

#include <utility>

#include "negotiation/bus_ends.hpp"

namespace caribou::negotiation {
namespace {

class BusWriter final : public Writer {
public:
    BusWriter(std::shared_ptr<BusEnds> ends, std::shared_ptr<BusWriterEnd> end)
        : ends_(std::move(ends)), end_(std::move(end)) {}
    ~BusWriter() override { ends_->remove(end_); }
    BusWriter(const BusWriter&) = delete;
    BusWriter& operator=(const BusWriter&) = delete;

    Result<void> write(const Sample& sample) override { return ends_->write(*end_, sample); }

private:
    std::shared_ptr<BusEnds> ends_;
    std::shared_ptr<BusWriterEnd> end_;
};

class BusReader final : public Reader {
public:
    BusReader(std::shared_ptr<BusEnds> ends, std::shared_ptr<BusReaderEnd> end)
        : ends_(std::move(ends)), end_(std::move(end)) {}
    ~BusReader() override { ends_->remove(end_); }
    BusReader(const BusReader&) = delete;
    BusReader& operator=(const BusReader&) = delete;

private:
    std::shared_ptr<BusEnds> ends_;
    std::shared_ptr<BusReaderEnd> end_;
};

}  // namespace

BusTransport::BusTransport(Loop& loop, Network& network, bus::ClientOptions options)
    : ends_(std::make_shared<BusEnds>(loop, network, std::move(options))) {}
BusTransport::~BusTransport() = default;

Result<void> BusTransport::start() { return ends_->start(); }
void BusTransport::stop() { ends_->stop(); }
bool BusTransport::connected() const { return ends_->connected(); }

Result<std::unique_ptr<Writer>> BusTransport::advertise(const Topic& topic, const TopicQos& qos,
                                                        WriterEvents& events) {
    if (auto checked = check_topic(topic, qos); !checked) return fail(std::move(checked.error()));
    auto end = ends_->add_writer(topic, qos, events);
    if (!end) return fail(std::move(end.error()));
    return std::make_unique<BusWriter>(ends_, std::move(*end));
}

Result<std::unique_ptr<Reader>> BusTransport::subscribe(const Topic& topic, const TopicQos& qos,
                                                        ReaderEvents& events) {
    if (auto checked = check_topic(topic, qos); !checked) return fail(std::move(checked.error()));
    auto end = ends_->add_reader(topic, qos, events);
    if (!end) return fail(std::move(end.error()));
    return std::make_unique<BusReader>(ends_, std::move(*end));
}

}  // namespace caribou::negotiation
