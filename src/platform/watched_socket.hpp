#pragma once

// Private to platform: brings Asio.

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include "platform/handler_slot.hpp"

namespace caribou {

/// A non-blocking socket that tells when it is ready; reading and writing are the heir's own
/// system calls. A pending wait keeps the object alive, so whoever owns it calls close() and lets
/// go: after that nothing is told any more. Waiting costs one system call (Asio's re-arming of
/// epoll, which also finds what came in meanwhile) and no allocation.
class WatchedSocket : public boost::intrusive_ref_counter<WatchedSocket, boost::thread_unsafe_counter> {
public:
    explicit WatchedSocket(boost::asio::io_context& io) : socket_(io) {}
    virtual ~WatchedSocket() = default;

    /// Takes over a non-blocking descriptor. Returns 0 or an errno value; then it is closed.
    int open(int descriptor);
    /// Closes the descriptor; open() may follow.
    void close_descriptor();
    /// Gives the descriptor away.
    int release() { return socket_.release(); }
    /// Closes for good: no event follows.
    void close();
    bool closed() const { return closed_; }
    int descriptor() { return socket_.native_handle(); }

    /// on_ready_to_read (on_ready_to_write) is called once, from the loop, when there is something
    /// to read (room to write), an end or an error. Asking again before that changes nothing.
    void wait_to_read() { wait(Direction::read); }
    void wait_to_write() { wait(Direction::write); }

protected:
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
