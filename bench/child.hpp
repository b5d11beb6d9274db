#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace caribou::bench {

/// A process of our own. It ends with this object, and at the latest with the benchmark itself.
class Child {
public:
    /// Runs `body` in a copy of this process.
    explicit Child(const std::function<void()>& body);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    pid_t pid() const { return pid_; }
    /// Waits for its end, which has to be a good one.
    void join();

private:
    pid_t pid_;
};

/// A program that says on its first line of output where it is ready.
class Program {
public:
    enum class Complaints : bool { shown, hidden };
    Program(const std::string& path, const std::vector<std::string>& arguments,
            Complaints complaints = Complaints::shown);

    pid_t pid() const { return child_.pid(); }
    const std::string& first_line() const { return first_line_; }
    /// Waits for its end, which has to be a good one.
    void join() { child_.join(); }

private:
    struct Pipe {
        Pipe();
        ~Pipe();
        Pipe(const Pipe&) = delete;
        Pipe& operator=(const Pipe&) = delete;
        int ends[2];
    };

    Pipe output_;
    Child child_;
    std::string first_line_;
};

/// The program of this name that was built together with this one.
std::string beside_this_program(const std::string& name);

}  // namespace caribou::bench
