#include "adapters/keys/machine_check.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "platform/descriptor.hpp"
#include "platform/listening_socket.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou {
namespace {

using State = MachineFinding::State;

/// A machine simulated by files in a folder.
class MachineCheck : public testing::Test {
protected:
    MachineCheck() {
        for (const char* const name : {"dev", "bluetooth", "keys"})
            std::filesystem::create_directory(folder / name);
        places.keys = KeyFolder(folder / "keys");
        places.recordings = folder.path();
        places.disk_needed = 1;
        places.devices = folder / "dev";
        places.adapters = folder / "bluetooth";
        places.system_bus = folder / "bus";
    }

    MachineFinding finding(const std::string& subject) {
        const auto all = check_machine(places);
        const auto found = std::ranges::find(all, subject, &MachineFinding::subject);
        return found == all.end() ? MachineFinding{} : *found;
    }

    TemporaryFolder folder;
    MachinePlaces places;
};

TEST_F(MachineCheck, SaysWhichPortIsTaken) {
    const Descriptor listener(*open_listening_socket(Address::ip("127.0.0.1", 0)));
    ASSERT_TRUE(listener);
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&storage), &size), 0);
    const auto port = ntohs(reinterpret_cast<const sockaddr_in*>(&storage)->sin_port);
    places.ports = {{"the bus", Address::ip("127.0.0.1", port)}};
    const MachineFinding found = finding("port " + std::to_string(port) + ", the bus");
    EXPECT_EQ(found.state, State::note);
    EXPECT_TRUE(found.advice.contains("sport = :" + std::to_string(port))) << found.advice;

    places.ports[0].datagrams = true;
    EXPECT_EQ(finding("port " + std::to_string(port) + ", the bus").state, State::good)
        << "of the other kind";
}

TEST_F(MachineCheck, MissesWhatIsNotThereWithoutCallingItBad) {
    EXPECT_EQ(finding("radio").state, State::note);
    EXPECT_EQ(finding("GPIO").state, State::note);
    EXPECT_EQ(finding("keys").state, State::note);
    EXPECT_EQ(finding("disk").state, State::good);
}

TEST_F(MachineCheck, WantsADBusForARadio) {
    folder.write("bluetooth/hci0", "");
    EXPECT_EQ(finding("radio").state, State::bad);
    folder.write("bus", "");
    EXPECT_EQ(finding("radio").state, State::good);
}

TEST_F(MachineCheck, SeesAKeyThatOthersCanRead) {
    const std::string path = folder.write("keys/bot7.key", "no key");
    ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
    const MachineFinding found = finding("keys");
    EXPECT_EQ(found.state, State::bad);
    EXPECT_TRUE(found.found.contains("bot7.key")) << found.found;
}

TEST_F(MachineCheck, SeesADiskThatIsTooFullOrGone) {
    places.disk_needed = std::numeric_limits<std::uintmax_t>::max();
    EXPECT_EQ(finding("disk").state, State::bad);
    places.recordings = folder / "nowhere";
    EXPECT_EQ(finding("disk").state, State::bad);
}

}  // namespace
}  // namespace caribou
