#include "child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "give_up.hpp"

namespace caribou::bench {
namespace {

/// Replaces the process by another program; returns only on failure.
void execute(const std::string& path, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{path};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(path.c_str(), pointers.data());
}

}  // namespace

Child::Child(const std::function<void()>& body) : pid_(::fork()) {
    need(pid_ >= 0, "start a process");
    if (pid_ > 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    body();
    std::_Exit(0);
}

Child::~Child() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void Child::join() {
    int status = 0;
    need(::waitpid(pid_, &status, 0) == pid_, "wait for a process");
    pid_ = 0;
    if (status != 0) give_up("a process of the benchmark has failed");
}

Program::Pipe::Pipe() { need(::pipe(ends) == 0, "make a pipe"); }

Program::Pipe::~Pipe() {
    ::close(ends[0]);
    ::close(ends[1]);
}

Program::Program(const std::string& path, const std::vector<std::string>& arguments, Complaints complaints)
    : child_([&] {
          ::dup2(output_.ends[1], STDOUT_FILENO);
          if (complaints == Complaints::hidden)
              ::dup2(::open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
          execute(path, arguments);
          need(false, "run " + path);
      }) {
    for (char letter = 0; ::read(output_.ends[0], &letter, 1) == 1 && letter != '\n';) first_line_ += letter;
}

std::string beside_this_program(const std::string& name) {
    return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name);
}

}  // namespace caribou::bench
