#include "robot/datagram_stops.hpp"

#include <utility>

namespace caribou::robot {

DatagramStops::DatagramStops(Strand& strand, motion::MotionControl& motion, RobotBuffers& buffers,
                             LinkTrust* trust, SendAnswer send)
    : clock_(strand.loop().clock()),
      motion_(motion),
      buffers_(buffers),
      trust_(trust),
      send_(std::move(send)),
      answers_(std::make_shared<StrandInbox<link::Answer>>(strand, 2 * max_stops, WhenFull::refuse,
                                                           [this] { send_answers(); })) {}

void DatagramStops::set_session(const SealFor& seal) {
    if (!seal.session) return;
    sessions_.push_front(
        {seal, link::SessionOpener(seal.session->mark, seal.session->secret, link::Direction::to_robot)});
    if (sessions_.size() > 2) sessions_.pop_back();
    stops_.clear();
}

void DatagramStops::take(const Address& from, ByteView datagram) {
    if (!trust_) return;
    for (Session& session : sessions_) {
        const auto content = session.opener.open(datagram);
        if (!content || !trust_->admit(session.seal.key)) continue;
        const auto packet = link::decode_datagram(*content);
        if (!packet) return;
        if (const auto* now = std::get_if<link::StopNow>(&packet->message))
            stop(*now, session.seal.station, from);
        return;
    }
}

void DatagramStops::stop(const link::StopNow& stop, const Peer& station, const Address& from) {
    ++received_;
    if (const auto known = stops_.find(stop.id.value); known != stops_.end()) {
        known->second.from = from;
        if (known->second.answer) send_(from, *known->second.answer);
        return;
    }
    const StationStop its{station.session, stop.id.value};
    const bool is_new = buffers_.is_new_stop(its);
    if (is_new) {
        buffers_.stop_now(motion_, motion::StopCause::station, clock_);
        ++executed_;
    }
    if (!submit(stop.id, station, is_new)) return;  // the next repetition is submitted
    if (is_new) buffers_.add_stop(its);
    stops_[stop.id.value] = {.from = from};
    if (stops_.size() > max_stops) stops_.erase(stops_.begin());
}

bool DatagramStops::submit(link::CommandId id, const Peer& station, bool is_new) {
    Request request{.peer = station, .command = {.id = id, .code = link::CommandCode::full_stop}};
    request.stop_cause = motion::StopCause::station;
    request.lane = is_new ? Request::Lane::datagram : Request::Lane::repeated_datagram;
    request.reply = [answers = std::weak_ptr(answers_)](const link::Answer& answer) {
        if (const auto inbox = answers.lock()) std::ignore = inbox->push(answer);
    };
    return buffers_.submit(std::move(request));
}

void DatagramStops::send_answers() {
    while (const auto answer = answers_->pop()) {
        const auto found = stops_.find(answer->id.value);
        if (found == stops_.end() || !answer->is_final()) continue;
        found->second.answer = *answer;
        send_(found->second.from, *answer);
    }
}

}  // namespace caribou::robot
