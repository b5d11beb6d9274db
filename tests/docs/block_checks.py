"""How documents_test.py checks blocks that are not commands, against the installed program, headers and package."""
import pathlib
import re
import subprocess

TOP = pathlib.Path(__file__).resolve().parents[2]
# kind: the command that reads a file of it, as the directive `kind` names it
READERS = {
    "launch": "caribou launch {} --dry-run",
    "lights": "caribou cubes lights {} --preference preferred",
    "mission": "caribou mission check {}",
    "robot": "caribou robot --config {} --check-config",
    "ros-bridge": "caribou ros-bridge --config {} --check",
    "share": "caribou share --config {} --check",
    "station": "caribou station --config {} --check-config",
    "tree": "caribou tree check {}",
    "world": "caribou world check {}",
}
COMMAND = re.compile(r"^\s*(\$ |caribou |\./run )", re.MULTILINE)
CPP_BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMPILER_LIMIT = 300  # seconds
COMPONENTS = ("behavior", "bus", "cubes", "dds", "driver", "negotiation", "robot")


def hides_commands(text):
    """Returns whether a block that is not run contains commands."""
    return COMMAND.search(text) is not None


def flags_of(prefix):
    """Returns the compiler's flags for all components of an installation."""
    return subprocess.run(["pkg-config", "--cflags", *(f"caribou-{name}" for name in COMPONENTS)],
                          env={"PATH": "/usr/bin:/bin", "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig"},
                          text=True, capture_output=True, check=True).stdout.split()


def cpp_faults(pages, prefix, scratch):
    """Compiles the C++ blocks against the installed headers, each in the file of cpp/ that includes it.

    DOCUMENT.N.inc is the Nth C++ block of a document. Returns what is wrong.
    """
    blocks = {}
    for page in pages:
        for number, block in enumerate(CPP_BLOCK.findall((TOP / page).read_text(encoding="utf-8")), 1):
            blocks[f"{pathlib.Path(page).stem}.{number}.inc"] = block
    for name, block in blocks.items():
        (scratch / name).write_text(block, encoding="utf-8")
    wrappers = [wrapper for wrapper in sorted((TOP / "tests/docs/cpp").glob("*.cpp"))
                if any(f"#include <{name}>" in wrapper.read_text(encoding="utf-8") for name in blocks)]
    included = "\n".join(wrapper.read_text(encoding="utf-8") for wrapper in wrappers)
    faults = [f"no file of tests/docs/cpp/ has `#include <{name}>`" for name in blocks
              if f"#include <{name}>" not in included]
    for wrapper in wrappers:
        done = subprocess.run(["g++", "-std=c++23", "-fsyntax-only", "-w", f"-I{scratch}", *flags_of(prefix), wrapper], text=True,
                              capture_output=True, check=False, timeout=COMPILER_LIMIT)
        if done.returncode != 0:
            faults.append(f"{wrapper.name} does not compile with the installed headers:\n{done.stderr}")
    return faults, len(blocks)
