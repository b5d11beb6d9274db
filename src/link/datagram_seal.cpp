#include "link/datagram_seal.hpp"

#include <algorithm>

namespace caribou::link {
namespace {

std::unexpected<Error> replayed() {
    return fail(Code::refused, "a datagram that was seen before, or is too old");
}

}  // namespace

Result<Bytes> SessionOpener::open(ByteView datagram) {
    const auto header = read_sealed_header(datagram);
    if (!header) return fail(header.error());
    const auto* const mark = std::get_if<SessionMark>(&header->mark);
    if (!mark || *mark != mark_) return fail(Code::refused, "a datagram of another session");
    if (!window_.is_fresh(header->number)) return replayed();
    auto content = open_sealed(key_, datagram);
    if (content) window_.take(header->number);
    return content;
}

BootOpener::BootOpener(const SecretKey& shared, Direction direction, std::optional<BootProgress> heard)
    : shared_(shared), id_(id_of(shared_)), direction_(direction), heard_(heard) {
    if (heard_) window_ = ReplayWindow::after(heard_->number);
}

Result<Bytes> BootOpener::open(ByteView datagram) {
    const auto header = read_sealed_header(datagram);
    if (!header) return fail(header.error());
    const auto* const mark = std::get_if<BootMark>(&header->mark);
    if (!mark || mark->key != id_) return fail(Code::refused, "a datagram under another key");
    const std::uint64_t number = header->number;
    const bool is_new = !heard_ || mark->boot > heard_->boot;
    if (!is_new && mark->boot < heard_->boot)
        return fail(Code::refused, "a datagram from before the sender's latest start");
    if (!is_new && nonce_ && mark->nonce != *nonce_)
        return fail(Code::refused, "a datagram of another start under the same number");
    const ReplayWindow window = is_new ? ReplayWindow() : window_;
    if (!window.is_fresh(number)) return replayed();

    auto content = open_sealed(boot_key(shared_, *mark, direction_), datagram);
    if (!content) return content;
    if (is_new) {
        heard_ = BootProgress{.boot = mark->boot, .number = number};
        window_ = window;
    }
    nonce_ = mark->nonce;
    heard_->number = std::max(heard_->number, number);
    window_.take(number);
    return content;
}

Result<Bytes> BootOpener::open_earlier(ByteView datagram) const {
    const auto header = read_sealed_header(datagram);
    if (!header) return fail(header.error());
    const auto* const mark = std::get_if<BootMark>(&header->mark);
    if (!mark || mark->key != id_) return fail(Code::refused, "a datagram under another key");
    if (!heard_ || mark->boot >= heard_->boot)
        return fail(Code::refused, "a datagram of the sender's latest start");
    return open_sealed(boot_key(shared_, *mark, direction_), datagram);
}

void BootOpener::accept_earlier(const SealedHeader& header) {
    const auto* const mark = std::get_if<BootMark>(&header.mark);
    if (!mark || mark->key != id_) return;
    heard_ = BootProgress{.boot = mark->boot, .number = header.number};
    nonce_ = mark->nonce;
    window_ = ReplayWindow::after(header.number);
}

}  // namespace caribou::link
