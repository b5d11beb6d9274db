#include "cpu_time.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "give_up.hpp"

namespace caribou::bench {

Seconds cpu_time(pid_t process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string text;
    std::getline(file, text);
    // The name may contain any character; after its closing parenthesis utime and stime are the 12th and 13th
    // field.
    std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
    std::string skipped;
    for (int i = 0; i < 11; ++i) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    need(static_cast<bool>(fields), "read the processor time of a process");
    return Seconds((user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

}  // namespace caribou::bench
