#!/usr/bin/env python3
"""Prints the status of every URL that payloads on standard input name: statuses.py PORT|FOLDER.

URLs lead to the stub, or below `https://cdn.example/r/` to its prefix `renditions/p/` or to a folder. A body
whose digest differs from its name has the status `damaged`.
"""
import hashlib, pathlib, re, ssl, sys, urllib.error, urllib.request

port = sys.argv[1]
text = sys.stdin.read()
if not port.isdigit():
    for name in sorted(set(re.findall(r'https://cdn.example/r/([^"]*)"', text))):
        file = pathlib.Path(port, name)
        whole = file.exists() and hashlib.sha256(file.read_bytes()).hexdigest() in name
        print("status", 200 if whole else "damaged" if file.exists() else 404)
    sys.exit()
text = text.replace("https://cdn.example/r/", f"http://127.0.0.1:{port}/renditions/p/")
context = ssl._create_unverified_context()
for url in sorted(set(re.findall(rf'(https?://[a-z0-9.]+:{port}/[^"]*)"', text))):
    scheme, host, path = re.match(r"(https?)://([^:]+):\d+(.*)", url).groups()
    request = urllib.request.Request(f"{scheme}://127.0.0.1:{port}{path}", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, context=context) as answer:
            whole = hashlib.sha256(answer.read()).hexdigest() in path
            print("status", answer.status if whole else "damaged")
    except urllib.error.HTTPError as error:
        print("status", error.code)
