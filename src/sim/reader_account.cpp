#include "sim/reader_account.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace caribou::sim {
namespace {

/// Returns whether the delivered value equals the written one. A repeated value carries only the field of its
/// type.
bool tells(const wire::MessageView& told, const Write& write, bool again) {
    const wire::Message& written = write.message;
    const bool same_value = again && !written.is_number() ? true : told.value == written.value;
    const bool same_payload = again && written.is_number() ? true : told.payload == written.payload;
    return told.data_type == written.data_type && told.source == written.source && told.key == written.key &&
           told.time == written.time && same_value && same_payload &&
           (again || (told.id == written.id && told.value2 == written.value2));
}

}  // namespace

void ReaderAccount::on_register(Duration interval, const Write* latest, Instant now) {
    registered_ = true;
    interval_ = interval;
    ++epoch_;
    if (latest) owed_.push_back({latest, true, interval, now, epoch_, false});
}

void ReaderAccount::on_unregister() {
    registered_ = false;
    ++epoch_;
}

void ReaderAccount::on_write(const Write& write) {
    if (registered_) owed_.push_back({&write, false, interval_, write.arrived, epoch_, false});
}

void ReaderAccount::on_clear() {
    ++epoch_;
    for (Owed& owed : owed_) owed.waived = true;
}

Result<void> ReaderAccount::on_told(const wire::MessageView& message, Instant now) {
    const bool again = message.id == -1;
    const auto found = std::ranges::find_if(owed_, [&](const Owed& owed) {
        return owed.again == again && owed.write->message.aux == message.aux;
    });
    if (found == owed_.end())
        return fail(Code::refused, fmt::format("value {} is not owed: it had not registered when that was "
                                               "written, or has received that or a later value before",
                                               message.aux));
    const Owed owed = *found;
    for (auto passed = owed_.begin(); passed != found; ++passed)
        if (passed->interval == Duration::zero() && !passed->waived) ++lost_;
    owed_.erase(owed_.begin(), found + 1);
    if (owed.write->number < last_number_)
        return fail(Code::refused, fmt::format("value {} comes after a newer one", message.aux));
    last_number_ = owed.write->number;
    if (!tells(message, *owed.write, again))
        return fail(Code::malformed, fmt::format("value {} has changed on its way", message.aux));
    return check_interval(owed, now);
}

/// The time at which a value was queued cannot be observed, because it may have waited for a slow reader. It
/// lies between the arrival of the value and that of the next one. So each value is assumed to have been
/// queued as early as the previous one permits; if even that is too late, no order of events respects the
/// interval.
Result<void> ReaderAccount::check_interval(const Owed& owed, Instant now) {
    Instant queued = owed.since;
    if (!owed.again && owed.interval > Duration::zero() && last_ && last_->epoch == owed.epoch)
        queued = std::max(queued, last_->since + owed.interval);
    last_ = Told{queued, owed.epoch};
    if (queued <= std::min(now, owed.write->replaced.value_or(now)) || owed.again) return {};
    return fail(Code::refused, fmt::format("value {} comes earlier than the interval of {} s allows",
                                           owed.write->message.aux, to_seconds(owed.interval)));
}

}  // namespace caribou::sim
