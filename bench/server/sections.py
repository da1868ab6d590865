"""Sections of a page of results that several programs write."""

import pathlib
import re


def write_section(page: str, title: str, heading: str, text: str) -> None:
    """Replaces or adds the section of a second-level heading, and keeps all others."""
    path = pathlib.Path(page)
    old = path.read_text() if path.exists() else f"# {title}\n"
    sections = re.split(r"^(?=## )", old, flags=re.M)
    new = f"## {heading}\n\n{text.rstrip()}\n"
    for index, section in enumerate(sections):
        if section.startswith(f"## {heading}\n"):
            sections[index] = new
            break
    else:
        sections.append(new)
    path.write_text("\n".join(section.rstrip() + "\n" for section in sections))
