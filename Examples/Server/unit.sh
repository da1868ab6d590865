# The service as its unit starts it, with what the unit says that needs no systemd; to be sourced. The caller sets
# `unit`, the file of the unit in the root `root`, `inside`, the words before a command that runs there, `work`, a folder
# for the log, and `fail`. Processes are in `running`.
# shellcheck shell=bash disable=SC2154

# The root needs the user, which systemd would make.
prepare() { # words before a command of the unit: its user, environment and credentials
    local credentials=/run/credentials/thimble-server.service settings
    mapfile -t settings < <(sed -n "s|^Environment=||p" "$unit" | sed "s|%S|/var/lib|; s|%d|$credentials|")
    service=("${inside[@]}" "${settings[@]}" STATE_DIRECTORY=/var/lib/thimble "CREDENTIALS_DIRECTORY=$credentials"
        setpriv --reuid thimble-server --regid thimble-server --clear-groups --no-new-privs
        --bounding-set=-all --inh-caps=-all)
}

start() {
    chroot "$root" id thimble-server >/dev/null 2>&1 \
        || chroot "$root" useradd --system --home-dir /nonexistent thimble-server
    prepare
    chroot "$root" install -d -o thimble-server -m 700 /var/lib/thimble /run/credentials/thimble-server.service
    chroot "$root" install -o thimble-server -m 400 /etc/thimble/tokens /run/credentials/thimble-server.service/tokens
    local before command
    before=$(sed -n 's/^ExecStartPre=//p' "$unit") command=$(sed -n 's/^ExecStart=//p' "$unit")
    # shellcheck disable=SC2086 # Commands of the unit are several words.
    "${service[@]}" $before >"$work/service.log" 2>&1 || fail "ExecStartPre failed" "$work/service.log"
    # shellcheck disable=SC2086
    "${service[@]}" $command >>"$work/service.log" 2>&1 &
    running[thimble-server]=$!
}

stop() {
    local process=${running[thimble-server]}
    unset 'running[thimble-server]'
    kill "$process"
    wait "$process" || fail "exit code $? after SIGTERM" "$work/service.log"
}
