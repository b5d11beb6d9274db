#include "platform/watched_socket.hpp"

#include <unistd.h>

namespace caribou {

struct WatchedSocket::Ready {
    using allocator_type = SlotAllocator<>;
    allocator_type get_allocator() const {
        return allocator_type(direction == Direction::read ? socket->read_slot_ : socket->write_slot_);
    }

    void operator()(const boost::system::error_code& failed) const {
        if (socket->closed_ || failed == boost::asio::error::operation_aborted) return;
        if (direction == Direction::read) {
            socket->waits_to_read_ = false;
            socket->on_ready_to_read();
        } else {
            socket->waits_to_write_ = false;
            socket->on_ready_to_write();
        }
    }

    boost::intrusive_ptr<WatchedSocket> socket;
    Direction direction;
};

int WatchedSocket::open(int descriptor) {
    boost::system::error_code failed;
    socket_.assign(descriptor, failed);
    if (!failed) return 0;
    ::close(descriptor);
    return failed.value();
}

void WatchedSocket::close_descriptor() {
    boost::system::error_code ignored;
    socket_.close(ignored);
    waits_to_read_ = waits_to_write_ = false;
}

void WatchedSocket::close() {
    closed_ = true;
    close_descriptor();
}

void WatchedSocket::wait(Direction direction) {
    bool& waits = direction == Direction::read ? waits_to_read_ : waits_to_write_;
    if (waits || closed_) return;
    waits = true;
    socket_.async_wait(direction == Direction::read ? socket_.wait_read : socket_.wait_write,
                       Ready{boost::intrusive_ptr(this), direction});
}

}  // namespace caribou
