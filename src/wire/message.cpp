#include "wire/message.hpp"

namespace caribou::wire {
namespace {

template <class To, class From>
BasicMessage<To> convert(const BasicMessage<From>& m) {
    return {m.id,      m.type, m.data_type, To(m.source), To(m.aux),    To(m.community),
            To(m.key), m.time, m.value,     m.value2,     To(m.payload)};
}

}  // namespace

MessageView view(const Message& message) { return convert<std::string_view>(message); }
Message own(const MessageView& message) { return convert<std::string>(message); }

}  // namespace caribou::wire
