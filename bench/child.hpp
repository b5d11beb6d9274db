#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace caribou::bench {

/// A child process. Ends with this object, or with the benchmark itself.
class Child {
public:
    /// Runs `body` in a forked copy of this process.
    explicit Child(const std::function<void()>& body);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child();

    pid_t pid() const { return pid_; }
    /// Waits for its end; aborts the benchmark if it failed.
    void join();

private:
    pid_t pid_;
};

/// A program that prints its address in its first line of output when it is ready.
class Program {
public:
    /// Whether the program's standard error is shown or discarded.
    enum class Complaints : bool { shown, hidden };
    Program(const std::string& path, const std::vector<std::string>& arguments,
            Complaints complaints = Complaints::shown);

    pid_t pid() const { return child_.pid(); }
    const std::string& first_line() const { return first_line_; }
    /// Waits for its end; aborts the benchmark if it failed.
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

/// Returns the path of the program of this name in the folder of this one.
std::string beside_this_program(const std::string& name);

}  // namespace caribou::bench
