// Negotiated topics, for caribou.negotiation.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "adapters/dds/ros_node.hpp"
#include "bindings.hpp"
#include "msg/message_types.hpp"
#include "negotiation/bus_transport.hpp"
#include "negotiation/negotiated_publisher.hpp"
#include "negotiation/negotiated_subscription.hpp"
#include "platform/console_log.hpp"
#include "platform/named_thread.hpp"
#include "platform/socket_network.hpp"
#include "platform/waiting_queue.hpp"
#include "ros_message.hpp"

namespace caribou::python {
namespace {

using negotiation::NegotiatedPublisher;
using negotiation::NegotiatedSubscription;
using negotiation::TopicQos;
using negotiation::TypeKey;

/// A message that a subscription has received.
struct Arrival {
    std::size_t subscription;
    std::string name;  ///< of the encoding
    std::shared_ptr<const Bytes> bytes;
    double stamp;
};

struct TopicsOptions {
    bool is_bus = false;
    negotiation::DdsSettings dds{};
    std::string node{};  ///< empty: not a node of ROS 2
    std::string name_space = "/";
    bus::ClientOptions client{};
};

/// A transport on a thread of its own, with all publishers and subscriptions. They are used on that thread
/// only, which never takes the GIL: what arrives is put into a queue, on which a Python thread waits. The GIL
/// guards the members that Python uses.
class Topics {
public:
    static constexpr std::size_t max_arrivals = 1000;

    explicit Topics(const TopicsOptions& options) {
        if (auto opened = open(options); !opened) raise(opened.error());
        if (auto started = thread_.start(); !started) raise(started.error());
    }
    ~Topics() { close(); }
    Topics(const Topics&) = delete;
    Topics& operator=(const Topics&) = delete;

    /// Waits until running calls have returned. Later calls raise RuntimeError.
    void close() {
        if (std::exchange(closed_, true)) return;
        arrivals.close();
        const auto reached = std::make_shared<WaitingQueue<bool>>(1);
        thread_.loop().post_from_any_thread([reached] { reached->push(true); });
        const py::gil_scoped_release let_go;
        reached->wait();
        thread_.stop();
        publishers_.clear();
        subscriptions_.clear();
    }

    /// Calls `work` on the thread, without the GIL.
    template <class Work>
    auto call(Work work) -> decltype(work()) {
        if (closed_) throw std::runtime_error("the topics are closed");
        const auto answer = std::make_shared<WaitingQueue<decltype(work())>>(1);
        thread_.loop().post_from_any_thread([answer, &work] { answer->push(work()); });
        const py::gil_scoped_release let_go;
        return std::move(answer->wait().front());
    }
    template <class Work>
    void call_or_raise(Work work) {
        if (const auto done = call(std::move(work)); !done) raise(done.error());
    }

    std::size_t add_publisher(const std::string& topic) {
        return call([&] {
            publishers_.emplace(++last_,
                                std::make_unique<NegotiatedPublisher>(thread_.loop(), *transport_, topic));
            return last_;
        });
    }
    std::size_t add_subscription(const std::string& topic) {
        return call([&] {
            subscriptions_.emplace(
                ++last_, std::make_unique<NegotiatedSubscription>(thread_.loop(), *transport_, topic));
            return last_;
        });
    }
    // Must be called on the thread.
    NegotiatedPublisher& publisher(std::size_t id) { return *publishers_.at(id); }
    NegotiatedSubscription& subscription(std::size_t id) { return *subscriptions_.at(id); }
    /// Ends a publisher or a subscription.
    void remove(std::size_t id) {
        if (closed_) return;
        thread_.loop().post_from_any_thread([this, id] {
            publishers_.erase(id);
            subscriptions_.erase(id);
        });
    }

    WaitingQueue<Arrival> arrivals{max_arrivals};

private:
    Result<void> open(const TopicsOptions& options) {
        if (options.is_bus) {
            auto bus = std::make_unique<negotiation::BusTransport>(thread_.loop(), network_, options.client);
            if (auto started = bus->start(); !started) return started;
            transport_ = std::move(bus);
            return {};
        }
        if (auto good = check_settings(options.dds, "insecure_lan=True"); !good) return good;
        auto participant = DdsParticipant::open(options.dds);
        if (!participant) return fail(std::move(participant.error()));
        participant_ = std::move(*participant);
        auto dds = std::make_unique<DdsTransport>(*participant_, thread_.loop(),
                                                  [this](const std::string& text) { log_.warning(text); });
        DdsTransport& transport = *dds;
        transport_ = std::move(dds);
        if (options.node.empty()) return {};
        auto node = RosNode::open(*participant_, transport, thread_.loop(),
                                  {.name = options.node, .name_space = options.name_space});
        if (!node) return fail(std::move(node.error()));
        node_ = std::move(*node);
        return {};
    }

    ConsoleLog log_{Level::warning};
    NamedThread thread_{{.name = "topics"}, log_};
    SocketNetwork network_{thread_.loop(), log_};
    std::unique_ptr<DdsParticipant> participant_;  ///< null on the bus
    std::unique_ptr<negotiation::Transport> transport_;
    std::unique_ptr<RosNode> node_;  ///< null: none
    std::map<std::size_t, std::unique_ptr<NegotiatedPublisher>> publishers_;
    std::map<std::size_t, std::unique_ptr<NegotiatedSubscription>> subscriptions_;
    std::size_t last_ = 0;
    bool closed_ = false;
};

using SharedTopics = std::shared_ptr<Topics>;

TopicQos qos_of(bool reliable, bool keep, std::size_t depth) {
    return {
        .reliability = reliable ? negotiation::Reliability::reliable : negotiation::Reliability::best_effort,
        .durability = keep ? negotiation::Durability::transient_local : negotiation::Durability::volatile_,
        .depth = depth};
}

/// The publisher in Python.
struct Publisher {
    Publisher(SharedTopics all, const std::string& topic)
        : topics(std::move(all)), id(topics->add_publisher(topic)) {}
    ~Publisher() { topics->remove(id); }
    Publisher(const Publisher&) = delete;
    Publisher& operator=(const Publisher&) = delete;

    NegotiatedPublisher& own() const { return topics->publisher(id); }

    SharedTopics topics;
    std::size_t id;
};

/// The subscription in Python.
struct Subscription {
    Subscription(SharedTopics all, const std::string& topic)
        : topics(std::move(all)), id(topics->add_subscription(topic)) {}
    ~Subscription() { topics->remove(id); }
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;

    NegotiatedSubscription& own() const { return topics->subscription(id); }
    void add(const std::string& type, const std::string& name, double weight, const TopicQos& qos) const {
        topics->call_or_raise([&] {
            return own().add_supported_callback(
                TypeKey{type, name}, weight, qos,
                [&queue = topics->arrivals, id = id, name](const negotiation::Sample& sample) {
                    queue.push({id, name, sample.shared_bytes(), to_unix_seconds(sample.stamp())});
                });
        });
    }

    SharedTopics topics;
    std::size_t id;
};

/// The message types of a program. `find_file(package, name)` returns a path and a text, or None.
class Types {
public:
    using FindFile =
        std::function<std::optional<std::pair<std::string, std::string>>(std::string, std::string)>;

    explicit Types(FindFile find_file)
        : types_([find_file = std::move(find_file)](std::string_view package,
                                                    std::string_view name) -> Result<NamedText> {
              try {
                  auto file = find_file(std::string(package), std::string(name));
                  if (!file) return fail(Code::not_found, "there is no file");
                  return NamedText{std::move(file->first), std::move(file->second)};
              } catch (const py::error_already_set& error) {
                  return fail(Code::io, error.what());
              }
          }) {}

    const msg::MessageSchema& find(const std::string& type) {
        const auto schema = types_.find(type);
        if (!schema) throw py::value_error(schema.error().message);
        return **schema;
    }

private:
    msg::MessageTypes types_;
};

py::list to_list(std::vector<Arrival>&& arrivals) {
    py::list list;
    for (const Arrival& arrival : arrivals)
        list.append(py::make_tuple(
            arrival.subscription, to_str(arrival.name),
            py::bytes(reinterpret_cast<const char*>(arrival.bytes->data()), arrival.bytes->size()),
            arrival.stamp));
    return list;
}

py::list wait_for_arrivals(Topics& topics) {
    std::vector<Arrival> arrivals;
    {
        const py::gil_scoped_release let_go;
        arrivals = topics.arrivals.wait();
    }
    return to_list(std::move(arrivals));
}

SharedTopics open_dds(int domain, const std::string& name, const std::string& node,
                      const std::string& name_space, bool insecure_lan, const std::string& interface,
                      const std::vector<std::string>& peers) {
    return std::make_shared<Topics>(TopicsOptions{.dds = {.domain = domain,
                                                          .insecure_lan = insecure_lan,
                                                          .interface = interface,
                                                          .peers = peers,
                                                          .name = name},
                                                  .node = node,
                                                  .name_space = name_space});
}

SharedTopics open_bus(const std::string& broker, const std::string& name) {
    const auto address = Address::parse(broker);
    if (!address) raise(address.error());
    return std::make_shared<Topics>(
        TopicsOptions{.is_bus = true, .client = {.name = name, .broker = *address}});
}

bool publish(const Publisher& self, const std::string& type, const std::string& name,
             const py::bytes& message) {
    const std::string octets = message;
    const ByteView bytes = bytes_of(octets);
    auto shared = std::make_shared<const Bytes>(bytes.begin(), bytes.end());
    const auto published =
        self.topics->call([&] { return self.own().publish(TypeKey{type, name}, std::move(shared)); });
    if (published) return *published == negotiation::Published::sent;
    if (published.error().code == Code::limit_exceeded) return false;
    raise(published.error());
}

}  // namespace

void bind_topics(py::module_& module) {
    py::class_<Types>(module, "MessageTypes")
        .def(py::init<Types::FindFile>())
        .def("name", [](Types& types, const std::string& type) { return to_str(types.find(type).type_name); })
        .def("encode",
             [](Types& types, const std::string& type, const py::object& message) {
                 const Bytes bytes = encode_message(types.find(type), message);
                 return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
             })
        .def("decode", [](Types& types, const std::string& type, const py::bytes& payload) {
            const std::string bytes = payload;
            return decode_message(types.find(type), bytes_of(bytes));
        });
    py::class_<Topics, SharedTopics>(module, "Topics")
        .def_static("dds", &open_dds)
        .def_static("bus", &open_bus)
        .def("close", &Topics::close)
        .def("wait", &wait_for_arrivals);
    py::class_<Publisher>(module, "TopicPublisher")
        .def(py::init<SharedTopics, const std::string&>())
        .def("add",
             [](const Publisher& self, const std::string& type, const std::string& name, double weight,
                bool reliable, bool keep, std::size_t depth) {
                 self.topics->call_or_raise([&] {
                     return self.own().add_supported_type(TypeKey{type, name}, weight,
                                                          qos_of(reliable, keep, depth));
                 });
             })
        .def("remove",
             [](const Publisher& self, const std::string& type, const std::string& name) {
                 self.topics->call_or_raise(
                     [&] { return self.own().remove_supported_type(TypeKey{type, name}); });
             })
        .def("start",
             [](const Publisher& self) { self.topics->call_or_raise([&] { return self.own().start(); }); })
        .def("stop",
             [](const Publisher& self) {
                 self.topics->call([&] {
                     self.own().stop();
                     return true;
                 });
             })
        .def("publish", &publish)
        .def(
            "was_negotiated",
            [](const Publisher& self, const std::string& type, const std::string& name) {
                return self.topics->call([&] { return self.own().type_was_negotiated(TypeKey{type, name}); });
            })
        .def("report", [](const Publisher& self) {
            return to_str(self.topics->call([&] { return self.own().report_text(); }));
        });
    py::class_<Subscription>(module, "TopicSubscription")
        .def(py::init<SharedTopics, const std::string&>())
        .def_readonly("id", &Subscription::id)
        .def("add", [](const Subscription& self, const std::string& type, const std::string& name,
                       double weight, bool reliable, bool keep,
                       std::size_t depth) { self.add(type, name, weight, qos_of(reliable, keep, depth)); })
        .def("remove",
             [](const Subscription& self, const std::string& type, const std::string& name) {
                 self.topics->call_or_raise(
                     [&] { return self.own().remove_supported_callback(TypeKey{type, name}); });
             })
        .def("set_weight",
             [](const Subscription& self, const std::string& type, const std::string& name, double weight) {
                 self.topics->call_or_raise(
                     [&] { return self.own().set_weight(TypeKey{type, name}, weight); });
             })
        .def("start",
             [](const Subscription& self) { self.topics->call_or_raise([&] { return self.own().start(); }); })
        .def("state",
             [](const Subscription& self) {
                 return to_str(self.topics->call(
                     [&] { return std::string(negotiation::to_string(self.own().state())); }));
             })
        .def("connection", [](const Subscription& self) {
            return to_str(self.topics->call([&] { return self.own().connection().supported_type_name; }));
        });
}

}  // namespace caribou::python
