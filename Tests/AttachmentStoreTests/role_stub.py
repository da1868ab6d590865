#!/usr/bin/env python3
"""Services that give out credentials of roles, for tests: role_stub.py LIFETIME SECRET.

Prints its port, and then each request as a line: method, path without query, and status. `/container` is the
agent of ECS or EKS, which wants SECRET as authorisation; `/` is the security token service, which wants it as
the token; `/latest/` is the instance metadata service, version 2. Credentials are numbered, `role-1` first,
and end after LIFETIME seconds. `PUT /_status/503` makes all fail. It ends with its standard input.
"""
import json, os, sys, threading, time, urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

lifetime, secret = float(sys.argv[1]), sys.argv[2]
lock = threading.Lock()
state = {"count": 0, "status": 200}
ROLES = "/latest/meta-data/iam/security-credentials/"


def credentials():
    with lock:
        state["count"] += 1
        end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + lifetime))
        return f"role-{state['count']}", f"token-{state['count']}", end


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def answer(self, status, text=""):
        with lock:
            print(self.command, self.path.partition("?")[0], status, flush=True)
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def document(self):
        key, token, end = credentials()
        self.answer(200, json.dumps({
            "Code": "Success", "AccessKeyId": key, "SecretAccessKey": "secret", "Token": token,
            "Expiration": end}))

    def do_PUT(self):
        if self.path.startswith("/_status/"):
            state["status"] = int(self.path.split("/")[-1])
            return self.answer(200)
        isSession = self.path == "/latest/api/token" and "X-aws-ec2-metadata-token-ttl-seconds" in self.headers
        self.answer(200 if isSession else 400, "session" if isSession else "")

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if state["status"] != 200:
            return self.answer(state["status"])
        if url.path == "/container":
            allowed = self.headers.get("Authorization") == secret
            return self.document() if allowed else self.answer(403)
        if url.path.startswith(ROLES):
            if self.headers.get("X-aws-ec2-metadata-token") != "session":
                return self.answer(401)
            return self.answer(200, "push role\n") if url.path == ROLES else self.document()
        if url.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", "/container")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        query = dict(urllib.parse.parse_qsl(url.query))
        expected = {
            "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleSessionName": "thimble",
            "RoleArn": "arn:aws:iam::1:role/push", "WebIdentityToken": secret}
        if url.path != "/" or query != expected:
            return self.answer(403)
        key, token, end = credentials()
        self.answer(200, f"<AssumeRoleWithWebIdentityResponse><Credentials><AccessKeyId>{key}</AccessKeyId>"
                    f"<SecretAccessKey>secret</SecretAccessKey><SessionToken>{token}</SessionToken>"
                    f"<Expiration>{end}</Expiration></Credentials></AssumeRoleWithWebIdentityResponse>")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
os._exit(0)
