#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bus/app.hpp"
#include "bus/app_settings.hpp"
#include "bus/paced_queue.hpp"
#include "bus/pshare.hpp"
#include "caribou/sealed_peer.hpp"
#include "loop/network.hpp"

namespace caribou::app {

/// Shares variables as pShare does: reads its block, receives and sends datagrams, obeys PSHARE_CMD, and
/// publishes the summaries.
class PshareApp final : public bus::App {
public:
    /// Frame and network must outlive the app.
    PshareApp(bus::AppFrame& frame, Network& network);
    ~PshareApp() override;

    /// The settings of an app that sends mail on as it arrives.
    static bus::AppSettings defaults();

    Result<void> on_start_up() override;
    Result<void> on_connect_to_server() override;
    Result<void> on_new_mail(std::span<const wire::Message> mail) override;
    Result<void> iterate() override;

private:
    struct Receiver {
        std::size_t input;
        std::unique_ptr<Datagram> socket;
        std::vector<SealedPeer> peers{};  ///< empty: plain datagrams
    };
    /// A sealed route to one address.
    struct Sealed {
        std::unique_ptr<Datagram> socket;
        SealedPeer peer;
    };
    /// Plain routes to one address, with a budget.
    struct Paced {
        Address to;
        double budget;
        bus::PacedQueue queue;
    };

    bus::PshareChannels channels() const;
    /// Returns the address as a number; fails if it is on another machine without `insecure_lan`,
    /// and the route is not sealed.
    Result<bus::PshareAddress> checked(bus::PshareAddress address, bool is_sealed) const;
    /// Returns why a route would be refused, as far as that can be known before it is opened.
    Result<void> check_route(const bus::PshareAddress& address, const std::vector<std::string>& keys,
                             bool is_input) const;
    Result<void> add(const bus::PshareOutputs& outputs);
    Result<void> add(const bus::PshareInputs& inputs);
    Result<SealedPeer> peer_of(const std::string& key_name, std::optional<Address> to) const;
    /// Makes the sealed route or the budget of an output.
    Result<void> prepare(const bus::PshareOutput& output);
    void obey(const wire::Message& command);
    void send(const wire::Message& value);
    void send(const bus::Pshare::Parcel& parcel);
    /// Sends what waits for its budget or for an answer.
    void flush();
    void receive(std::size_t number);
    void receive(Receiver& receiver, const Datagram::Received& packet);
    void receive_answers(Sealed& route);
    /// Once: the datagrams may come from anybody.
    void warn_of_other_key(const Address& from);
    void accept(std::size_t input, ByteView message, const Address& from);
    void report(const Result<void>& sent);
    std::string report_text() const;
    void publish(const wire::MessageView& value);
    std::string command_variable() const;

    Network& network_;
    std::vector<std::string> output_;
    std::vector<std::string> input_;
    std::string group_;
    int base_port_;
    std::string keys_;
    bool insecure_lan_ = false;
    bool forward_ = false;
    bool verbose_ = false;

    std::unique_ptr<bus::Pshare> share_;
    std::optional<wire::Message> last_command_;
    std::vector<bus::Pshare::Registration> registrations_;
    std::unique_ptr<Datagram> sender_;
    std::vector<Receiver> receivers_;
    bool warned_of_other_key_ = false;
    std::map<std::pair<std::string, std::string>, Sealed> sealed_;  ///< by address and key
    std::map<std::string, Paced> paced_;                            ///< by address
    Bytes buffer_;
    Instant next_summary_{};
};

}  // namespace caribou::app
