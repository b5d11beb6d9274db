#include "field/own_network.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <net/route.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

#include "base/check.hpp"

namespace caribou::tests {

namespace {

template <class Request>
bool configure(unsigned long request, Request& with) {
    const int any = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool done = ::ioctl(any, request, &with) == 0;
    ::close(any);
    return done;
}

bool switch_loopback_on() {
    ifreq loopback{};
    std::strncpy(loopback.ifr_name, "lo", IFNAMSIZ);
    loopback.ifr_flags = IFF_UP | IFF_RUNNING;
    return configure(SIOCSIFFLAGS, loopback);
}

/// Of the objects of this type.
int count = 0;

}  // namespace

OwnNetwork::OwnNetwork()
    : before_(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)),
      entered_(before_ >= 0 && ::unshare(CLONE_NEWNET) == 0 && switch_loopback_on()) {
    check(++count == 1, "a network is left before the next one is entered");
}

OwnNetwork::~OwnNetwork() {
    --count;
    ::setns(before_, CLONE_NEWNET);
    ::close(before_);
}

bool OwnNetwork::add_address(const std::string& ip) {
    ifreq alias{};
    std::strncpy(alias.ifr_name, "lo:1", IFNAMSIZ);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    ::inet_pton(AF_INET, ip.c_str(), &address.sin_addr);
    std::memcpy(&alias.ifr_addr, &address, sizeof address);
    return configure(SIOCSIFADDR, alias);
}

bool OwnNetwork::route_multicast() {
    const auto put = [](sockaddr& into, const char* ip) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        ::inet_pton(AF_INET, ip, &address.sin_addr);
        std::memcpy(&into, &address, sizeof address);
    };
    rtentry route{};
    put(route.rt_dst, "224.0.0.0");
    put(route.rt_genmask, "240.0.0.0");
    route.rt_flags = RTF_UP;
    std::string device = "lo";
    route.rt_dev = device.data();
    return configure(SIOCADDRT, route);
}

}  // namespace caribou::tests
