#!/usr/bin/python3
"""Writes manual pages in mdoc from the declarations of the built programs: manuals.py BUILD_FOLDER MAN_FOLDER

- One page a command from what --help prints: section 1 for thimble, section 8 for thimble-server, if it is built.
- thimble-server.json(5), the fields of the service's configuration, from the options of `thimble-server serve`.
- thimble-container(5), the folder and its manifests, from the documentation comments of their types.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONTAINER = ROOT / "Sources/Container"

# A word of text that mdoc would take for a macro in an argument.
MACRO = re.compile(r"^[A-Z][a-z0-9][a-z]?$")

# Sections of --help by their names in manuals, in the order of manuals (mdoc(7)); others come before.
HEADINGS = {"ENVIRONMENT": "ENVIRONMENT", "EXIT CODES": "EXIT STATUS", "EXAMPLES": "EXAMPLES"}


def escaped(text: str) -> str:
    text = text.replace("\\", "\\e")
    text = re.sub(r"``?([^`]+)``?", r"\\fB\1\\fP", text)
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def argument(text: str) -> str:
    """Text as arguments of a macro."""
    words = escaped(text).replace('"', '\\(dq').split()
    return " ".join("\\&" + word if MACRO.match(word) or word in ".,:;()[]?!|" else word for word in words)


def sentences(text: str) -> Iterator[str]:
    """Lines of prose, each with one sentence at most, so that formatters space their ends."""
    for sentence in re.split(r"(?<=[.!?])\s+", text.strip()):
        yield from escaped(
            textwrap.fill(sentence, 70, break_long_words=False, break_on_hyphens=False)).split("\n")


class Page:
    def __init__(self, name: str, section: int, summary: str) -> None:
        self.name, self.section = name, section
        date = time.strftime("%B %-d, %Y", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
        summary = summary.rstrip(".")
        self.lines = [
            f".Dd {date}", f".Dt {name.upper()} {section}", ".Os", ".Sh NAME", f".Nm {name}",
            f".Nd {argument(summary[:1].lower() + summary[1:])}"]

    def heading(self, title: str) -> None:
        self.lines.append(f".Sh {argument(title)}")

    def prose(self, text: str) -> None:
        if not self.lines[-1].startswith((".Sh", ".Pp", ".It")):
            self.lines.append(".Pp")
        self.lines += sentences(text)

    def literal(self, lines: list[str]) -> None:
        self.lines += [".Bd -literal -offset indent", *map(escaped, lines), ".Ed"]

    def terms(self, rows: list[tuple[str, str]]) -> None:
        """A list of words, as arguments of .It, and their meanings."""
        self.lines.append(".Bl -tag -width Ds")
        for term, meaning in rows:
            self.lines.append(f".It {term}")
            for number, paragraph in enumerate(filter(None, meaning.split("\n\n"))):
                self.lines += ([".Pp"] if number else []) + list(sentences(paragraph))
        self.lines.append(".El")

    def discussion(self, text: str) -> None:
        """Prose, and blocks in capitals with indented lines: examples, or words and their meanings."""
        for block in filter(str.strip, text.split("\n\n")):
            lines = block.strip("\n").split("\n")
            if re.fullmatch(r"[A-Z][A-Z ]+", lines[0]):
                title = lines.pop(0)
                self.heading(HEADINGS.get(title, title))
            if not lines:
                continue
            rows = [re.fullmatch(r"  (\S+) {1,}\s*(.*)", line) for line in lines]
            pairs = [re.fullmatch(r"  (\S+) {2,}(.*)|  (\d+) (.*)", line) for line in lines]
            if all(pairs):
                self.terms([
                    (argument(pair[1] or pair[3]), pair[2] or pair[4]) for pair in pairs if pair])
            elif self.lines[-1] == ".Sh EXAMPLES":
                self.literal([line[2:] for line in lines])
            elif all(rows):
                for line in lines:
                    self.prose(line)
            else:
                self.prose(" ".join(line.strip() for line in lines))

    def write(self, folder: Path, others: list[tuple[str, int]]) -> None:
        self.heading("SEE ALSO")
        others = sorted(set(others) - {(self.name, self.section)}, key=lambda other: (other[1], other[0]))
        for number, (name, section) in enumerate(others):
            self.lines.append(f".Xr {name} {section}" + (" ," if number < len(others) - 1 else ""))
        path = folder / f"man{self.section}" / f"{self.name}.{self.section}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self.lines) + "\n")


def dump(program: Path) -> dict:
    output = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True)
    return json.loads(output.stdout)["command"]


def commands(command: dict, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict]]:
    words = (*above, command["commandName"])
    yield words, command
    for other in command.get("subcommands", []):
        if other["commandName"] != "help" and other.get("shouldDisplay", True):
            yield from commands(other, words)


def flags(argument_: dict) -> str:
    """The names of an option, with its value, as arguments of a macro."""
    names = [("-" if name["kind"] == "long" else "") + name["name"] for name in argument_.get("names", [])]
    if argument_["kind"] == "positional":
        return f"Ar {argument_['valueName']}"
    value = f" Ar {argument_['valueName']}" if argument_["kind"] == "option" else ""
    return " , ".join(f"Fl {name}{value}" for name in names)


def synopsis(words: tuple[str, ...], command: dict) -> Iterator[str]:
    yield f".Nm {words[0]}" + "".join(f" Cm {word}" for word in words[1:])
    if command.get("subcommands"):
        yield ".Ar subcommand"
    shown = [item for item in command.get("arguments", []) if item["shouldDisplay"]]
    if any(item["isOptional"] for item in shown):
        yield ".Op Ar options"
    for item in shown:
        if not item["isOptional"]:
            names = {**item, "names": [item["preferredName"]]} if item.get("preferredName") else item
            yield f".{flags(names)}" + (" ..." if item["isRepeating"] else "")
        elif item["kind"] == "positional":
            yield f".Op {flags(item)}" + (" ..." if item["isRepeating"] else "")


def meaning(item: dict) -> str:
    text = item.get("abstract", "")
    if item.get("defaultValue") and "default is" not in text:
        text += f" The default is {item['defaultValue']}."
    return "\n\n".join(filter(None, [text, item.get("discussion", "")]))


def command_page(words: tuple[str, ...], command: dict, section: int) -> Page:
    page = Page("-".join(words), section, command.get("abstract", ""))
    page.heading("SYNOPSIS")
    page.lines += synopsis(words, command)
    page.heading("DESCRIPTION")
    discussion = command.get("discussion", "")
    # Sections of the discussion follow the options, in the order of manuals.
    prose, *sections_of_help = re.split(r"(?m)^(?=[A-Z][A-Z ]+$)", discussion)
    order = list(HEADINGS)
    sections_of_help.sort(key=lambda text: order.index(title) + 1 if (title := text.split("\n")[0]) in order else 0)
    page.discussion(prose or command.get("abstract", ""))
    if subcommands := [other for other in command.get("subcommands", []) if other["commandName"] != "help"]:
        page.prose("The subcommands are:")
        page.terms([(f"Cm {other['commandName']}", other.get("abstract", "")) for other in subcommands])
    sections: dict[str, list[dict]] = {}
    for item in command.get("arguments", []):
        if item["shouldDisplay"]:
            sections.setdefault(item.get("sectionTitle") or "", []).append(item)
    if sections:
        page.heading("OPTIONS")
        for title, items in sections.items():
            if title:
                page.lines.append(f".Ss {argument(title)}")
            page.terms([(flags(item), meaning(item)) for item in items])
    page.discussion("\n\n".join(text.rstrip("\n") for text in sections_of_help))
    return page


def configuration_page(server: dict) -> Page:
    page = Page("thimble-server.json", 5, "configuration of thimble-server")
    page.heading("DESCRIPTION")
    page.prose(
        "The configuration is a JSON object with a field for each option of the service. Its path is given by "
        "--config or the variable THIMBLE_SERVER_CONFIG, and is /etc/thimble/server.json for the unit of systemd. "
        "A flag of the command line and a variable of the environment, THIMBLE_SERVER_ and the name in capitals, "
        "hold before it. Options that may be repeated take a text with commas between their values. Unknown fields "
        "and values out of range are errors; 'thimble-server check-config' names them.")
    page.literal(["{", '  "port": 8080,', '  "max-queue": 64', "}"])
    page.heading("FIELDS")
    serve = next(command for words, command in commands(server) if words[1:] == ("serve",))
    rows = []
    for item in serve["arguments"]:
        names = [name["name"] for name in item.get("names", []) if name["kind"] == "long"]
        if item["shouldDisplay"] and names and names[0] not in ("config", "help", "version"):
            rows.append((f"Va {names[0]}", meaning(item)))
    page.terms(sorted(rows))
    return page


def comments(path: Path) -> Iterator[tuple[str, str]]:
    """Declarations of a source, each with the text of its documentation comment."""
    text: list[str] = []
    for line in path.read_text().splitlines():
        if match := re.match(r"\s*///\s?(.*)", line):
            text.append(match[1])
        else:
            if text and line.strip():
                yield line.strip(), "\n".join(text)
            text = []


def fields(path: Path) -> list[tuple[str, str]]:
    """Stored public properties, which are the fields of the JSON."""
    rows = []
    for declaration, text in comments(path):
        match = re.match(r"public (?:private\(set\) )?(?:let|var) (\w+)(?!.*\{)", declaration)
        if match:
            rows.append((f"Va {match[1]}", re.sub(r"(?<!\n)\n(?!\n)", " ", text)))
    return rows


def container_page() -> Page:
    page = Page("thimble-container", 5, "folder of renditions and their manifests")
    page.heading("DESCRIPTION")
    text = dict(comments(CONTAINER / "Container/SharedContainer.swift"))["public struct SharedContainer: Sendable {"]
    for part, block in enumerate(text.split("```")):
        if part % 2:
            page.literal(block.strip("\n").split("\n"))
        else:
            for paragraph in filter(str.strip, block.split("\n\n")):
                page.prose(" ".join(paragraph.split()))
    page.heading("MANIFESTS")
    manifest = CONTAINER / "Manifest/Manifest.swift"
    text = dict(comments(manifest))["public struct Manifest: Sendable, Equatable, Codable {"]
    for paragraph in text.split("\n\n"):
        page.prose(" ".join(paragraph.split()))
    page.terms(fields(manifest))
    for title, name in (("The source", "Source"), ("Each rendition", "Rendition")):
        page.lines.append(f".Ss {title}")
        page.terms(fields(CONTAINER / f"Manifest/Manifest+{name}.swift"))
    return page


def main() -> None:
    built, folder = Path(sys.argv[1]), Path(sys.argv[2])
    pages = [container_page()]
    for name, section in (("thimble", 1), ("thimble-server", 8)):
        if (built / name).exists():
            tree = dump(built / name)
            pages += [command_page(words, command, section) for words, command in commands(tree)]
            if name == "thimble-server":
                pages.append(configuration_page(tree))
    for page in pages:
        page.write(folder, [(other.name, other.section) for other in pages if page.name.startswith(other.name)
                            or other.name in ("thimble", "thimble-container") or other.name.startswith(page.name)])


if __name__ == "__main__":
    main()
