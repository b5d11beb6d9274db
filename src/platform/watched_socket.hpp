#pragma once

// Private to platform: includes Asio.

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "platform/handler_slot.hpp"

namespace caribou {

/// A non-blocking socket that reports readiness; derived classes make the system calls for reading and
/// writing. A pending wait keeps the object alive, so its owner must call close() before releasing it: no
/// event follows. Waiting costs one system call (Asio re-arms epoll, which also detects data that arrived
/// meanwhile) and no allocation.
class WatchedSocket : public boost::intrusive_ref_counter<WatchedSocket, boost::thread_unsafe_counter> {
public:
    explicit WatchedSocket(boost::asio::io_context& io) : socket_(io) {}
    virtual ~WatchedSocket() = default;

    /// Takes ownership of a non-blocking descriptor. Returns 0, or an errno value; then the descriptor is
    /// closed.
    int open(int descriptor);
    /// Closes the descriptor; open() may follow.
    void close_descriptor();
    /// Returns the descriptor and gives up its ownership.
    int release() { return socket_.release(); }
    /// Closes permanently: no event follows.
    void close();
    bool closed() const { return closed_; }
    int descriptor() { return socket_.native_handle(); }

    /// on_ready_to_read (on_ready_to_write) is called once, from the loop, when there is data to read (room
    /// to write), the end of the stream, or an error. Repeated calls before that have no effect.
    void wait_to_read() { wait(Direction::read); }
    void wait_to_write() { wait(Direction::write); }

protected:
    /// Called once after wait_to_read(), on the loop.
    virtual void on_ready_to_read() = 0;
    virtual void on_ready_to_write() {}

private:
    enum class Direction : bool { read, write };
    struct Ready;

    void wait(Direction direction);

    boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> socket_;
    bool closed_ = false;
    bool waits_to_read_ = false;
    bool waits_to_write_ = false;
    HandlerSlot read_slot_;
    HandlerSlot write_slot_;
};

}  // namespace caribou
