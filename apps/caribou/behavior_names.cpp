#include "caribou/behavior_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "kit/robot/tree_world.hpp"

namespace caribou::app {
namespace {

/// The modules of Python's library (`sys.stdlib_module_names`) and of Caribou, in order.
constexpr std::array<std::string_view, 218> python_modules{
    "abc",          "aifc",         "antigravity",  "argparse",    "array",       "ast",
    "asynchat",     "asyncio",      "asyncore",     "atexit",      "audioop",     "base64",
    "bdb",          "binascii",     "bisect",       "builtins",    "bz2",         "cProfile",
    "calendar",     "caribou",      "cgi",          "cgitb",       "chunk",       "cmath",
    "cmd",          "code",         "codecs",       "codeop",      "collections", "colorsys",
    "compileall",   "concurrent",   "configparser", "contextlib",  "contextvars", "copy",
    "copyreg",      "crypt",        "csv",          "ctypes",      "curses",      "dataclasses",
    "datetime",     "dbm",          "decimal",      "difflib",     "dis",         "distutils",
    "doctest",      "email",        "encodings",    "ensurepip",   "enum",        "errno",
    "faulthandler", "fcntl",        "filecmp",      "fileinput",   "fnmatch",     "fractions",
    "ftplib",       "functools",    "gc",           "genericpath", "getopt",      "getpass",
    "gettext",      "glob",         "graphlib",     "grp",         "gzip",        "hashlib",
    "heapq",        "hmac",         "html",         "http",        "idlelib",     "imaplib",
    "imghdr",       "imp",          "importlib",    "inspect",     "io",          "ipaddress",
    "itertools",    "json",         "keyword",      "lib2to3",     "linecache",   "locale",
    "logging",      "lzma",         "mailbox",      "mailcap",     "marshal",     "math",
    "mimetypes",    "mmap",         "modulefinder", "msilib",      "msvcrt",      "multiprocessing",
    "netrc",        "nis",          "nntplib",      "nt",          "ntpath",      "nturl2path",
    "numbers",      "opcode",       "operator",     "optparse",    "os",          "ossaudiodev",
    "pathlib",      "pdb",          "pickle",       "pickletools", "pipes",       "pkgutil",
    "platform",     "plistlib",     "poplib",       "posix",       "posixpath",   "pprint",
    "profile",      "pstats",       "pty",          "pwd",         "py_compile",  "pyclbr",
    "pydoc",        "pydoc_data",   "pyexpat",      "queue",       "quopri",      "random",
    "re",           "readline",     "reprlib",      "resource",    "rlcompleter", "runpy",
    "sched",        "secrets",      "select",       "selectors",   "shelve",      "shlex",
    "shutil",       "signal",       "site",         "smtpd",       "smtplib",     "sndhdr",
    "socket",       "socketserver", "spwd",         "sqlite3",     "sre_compile", "sre_constants",
    "sre_parse",    "ssl",          "stat",         "statistics",  "string",      "stringprep",
    "struct",       "subprocess",   "sunau",        "symtable",    "sys",         "sysconfig",
    "syslog",       "tabnanny",     "tarfile",      "telnetlib",   "tempfile",    "termios",
    "textwrap",     "this",         "threading",    "time",        "timeit",      "tkinter",
    "token",        "tokenize",     "tomllib",      "trace",       "traceback",   "tracemalloc",
    "tty",          "turtle",       "turtledemo",   "types",       "typing",      "unicodedata",
    "unittest",     "urllib",       "uu",           "uuid",        "venv",        "warnings",
    "wave",         "weakref",      "webbrowser",   "winreg",      "winsound",    "wsgiref",
    "xdrlib",       "xml",          "xmlrpc",       "zipapp",      "zipfile",     "zipimport",
    "zlib",         "zoneinfo"};

/// In order.
constexpr std::array<std::string_view, 32> python_keywords{
    "and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
    "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
    "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
    "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield"};

/// The ids that the trees of new projects have besides that of the behavior.
constexpr std::array<std::string_view, 3> ids_of_new_trees{"back", "robot", "round"};

/// Returns whether the name of the class in Python gives the name in files again: `PatrolAndWink` is
/// `patrol_and_wink`.
bool has_python_class(std::string_view name) {
    for (std::size_t i = 1; i < name.size(); ++i)
        if (name[i - 1] == '_' && std::islower(static_cast<unsigned char>(name[i])) == 0) return false;
    return name != "true" && name != "false" && name != "none";
}

}  // namespace

std::string objection_to_python_file(std::string_view name) {
    if (std::ranges::binary_search(python_keywords, name))
        return fmt::format("`{}` is a keyword of Python, and its test could not import the file", name);
    if (!std::ranges::binary_search(python_modules, name)) return {};
    return fmt::format("the file {0}.py would hide the module `{0}` of Python", name);
}

std::string objection_to_behavior(std::string_view name, bool in_python) {
    const FakeWorld world({}, TreeActions::of_robots);
    if (world.classes().behaviors().contains(name))
        return fmt::format("every robot has a class of behaviors `{}`", name);
    if (std::ranges::find(ids_of_new_trees, name) != ids_of_new_trees.end())
        return fmt::format("the tree of the project has another behavior with the id `{}`", name);
    if (in_python && !has_python_class(name))
        return "no class in Python has it: after each underscore comes a letter";
    return {};
}

}  // namespace caribou::app
