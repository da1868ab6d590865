#!/usr/bin/env python3
"""Records commands as an animated SVG: record.py PRODUCTS TARGET < COMMANDS, one command a line.

The output is what the commands print, run in the folder of this package. Viewers without animation show all
of it.
"""
import html
import os
import subprocess
import sys

WIDTH, LINE, TOP, LEFT = 860, 21, 58, 24
TYPING = 0.035  # Seconds for a letter
PAUSE = 0.6

products, target = sys.argv[1:]
environment = os.environ | {"PATH": os.path.abspath(products) + ":" + os.environ["PATH"]}
lines, clock = [], 0.8
for command in filter(None, map(str.strip, sys.stdin)):
    lines.append((clock, "command", command))
    clock += len(command) * TYPING + PAUSE
    run = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True)
    assert run.returncode in (0, 3), run.stderr
    for text in run.stdout.replace(os.getcwd() + "/", "").splitlines():
        lines.append((clock, "output", text if len(text) < 98 else text[:96] + " …"))
        clock += 0.05
    clock += 2 * PAUSE
height = TOP + LINE * len(lines) + 20

parts = [
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
    'role="img" font-family="ui-monospace, Menlo, \'DejaVu Sans Mono\', monospace" font-size="14">',
    "<title>thimble in a terminal</title>",
    f'<rect width="{WIDTH}" height="{height}" rx="12" fill="#1b1917"/>',
    *(f'<circle cx="{x}" cy="24" r="6" fill="{fill}"/>'
      for x, fill in [(26, "#ff6b62"), (46, "#f5bf4f"), (66, "#61c554")]),
]
for index, (begin, kind, text) in enumerate(lines):
    y = TOP + LINE * index
    hide = f'<set attributeName="opacity" to="0" begin="0s" dur="{begin:.2f}s"/>'
    if kind == "output":
        parts.append(f'<text x="{LEFT}" y="{y}" fill="#d9d2c8" xml:space="preserve">{hide}{html.escape(text)}</text>')
        continue
    letters = "".join(
        f'<tspan>{html.escape(letter)}<set attributeName="opacity" to="0" begin="0s" '
        f'dur="{begin + place * TYPING:.2f}s"/></tspan>' for place, letter in enumerate(text))
    parts.append(f'<text x="{LEFT}" y="{y}" fill="#ff7ba6" xml:space="preserve">{hide}$ '
                 f'<tspan fill="#ffffff" font-weight="700">{letters}</tspan></text>')
with open(target, "w") as file:
    file.write("\n".join(parts + ["</svg>", ""]))
