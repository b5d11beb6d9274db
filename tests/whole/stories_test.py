"""User stories: what README.md promises, done by a person with the installed program. Each file in stories/ is one; the
last line of its description names the paragraphs of README.md that it shows. Each paragraph has at least one.

stories_test.py BUILD_TREE [STORY...]
"""
import ast
import pathlib
import re
import runpy
import sys

from programs import run_all, run_inside

STORIES = pathlib.Path(__file__).resolve().parent / "stories"
README = STORIES.parents[2] / "README.md"


def check_promises(stories):
    """Expects a story for each paragraph of README that begins with bold text, and no other."""
    shown = {}
    for story in stories:
        description = ast.get_docstring(ast.parse((STORIES / f"{story}.py").read_text(encoding="utf-8")))
        for promise in description.splitlines()[-1].removeprefix("README: ").split("; "):
            shown.setdefault(promise, story)
    promises = {text.rstrip(".") for text in re.findall(r"^\*\*(.+?)\*\*", README.read_text(encoding="utf-8"), re.MULTILINE)}
    for promise in promises - shown.keys():
        sys.exit(f"no story shows `{promise}`, which README.md promises")
    for promise in shown.keys() - promises:
        sys.exit(f"{shown[promise]} shows `{promise}`, which README.md does not promise")


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        story = runpy.run_path(str(STORIES / f"{sys.argv[2]}.py"))["story"]
        sys.exit(run_inside(story, sys.argv[2]))
    every = sorted(path.stem for path in STORIES.glob("*.py"))
    check_promises(every)
    sys.exit(run_all(__file__, sys.argv[1], sys.argv[2:] or every))
