#!/usr/bin/env bash
# RabbitMQ nodes as plain processes of the calling user on loopback, for the demonstration and tests.
#
#   broker.sh up COUNT FOLDER    starts COUNT joined nodes, and prints their URLs, separated by commas
#   broker.sh kill NODE FOLDER   kills a node;  broker.sh start NODE FOLDER  starts it again
#   broker.sh down FOLDER        stops what runs in the folder, by process number
#
# BROKER_ADDRESS is the address of a node, by default 127.0.0.1, and BROKER_WRAPPER is put before its
# commands; in both, % is the node's number, so that nodes can have network namespaces of their own.
# Package: rabbitmq-server, whose service need not run.
set -euo pipefail

# Under it the program becomes Erlang itself, so that its process number is that of the node.
export RUNNING_UNDER_SYSTEMD=true

address() { # NODE
    local text=${BROKER_ADDRESS:-127.0.0.1}
    echo "${text//%/$1}"
}

wrapper() { # NODE
    local text=${BROKER_WRAPPER:-}
    echo "${text//%/$1}"
}

free_ports() { # COUNT: successive free ports
    /usr/bin/python3 "$(dirname "$0")/../../Tests/Support/free_ports.py" "$1"
}

# Closes descriptors of the caller, who may wait until nobody has them any more.
close_others() {
    local file
    for file in /proc/self/fd/*; do
        file=${file##*/}
        [ "$file" -le 2 ] || [ "$file" = 255 ] || eval "exec $file>&-"
    done
}

configure() { # NODE
    mkdir -p "$folder/$1"
    {
        echo "listeners.tcp.default = $(address "$1"):$((port + $1))"
        echo "default_user = thimble"
        echo "default_pass = thimble"
        echo "cluster_formation.peer_discovery_backend = classic_config"
        for other in $(seq "$count"); do
            echo "cluster_formation.classic_config.nodes.$other = thimble$other@$(address "$other")"
        done
        # One node alone is no minority.
        [ "$count" = 1 ] || echo "cluster_partition_handling = pause_minority"
        echo "vm_memory_high_watermark.absolute = 400MB"
        echo "disk_free_limit.absolute = 50MB"
        # A node that hangs is noticed within a quarter of a minute.
        echo "net_ticktime = 12"
        echo "log.console = false"
    } >"$folder/$1/rabbitmq.conf"
}

# Names of nodes are found by it; nodes with one address share one.
start_names() { # NODE
    local address
    address=$(address "$1")
    (
        close_others
        # shellcheck disable=SC2046 # The wrapper is several words.
        exec env ERL_EPMD_ADDRESS="$address" setsid $(wrapper "$1") epmd -port "$port" </dev/null >"$folder/epmd-$1.log" 2>&1
    ) &
    echo $! >"$folder/epmd-$1.pid"
}

start() { # NODE
    local home="$folder/$1" address
    address=$(address "$1")
    (
        export HOME="$folder" ERL_EPMD_PORT="$port" ERL_EPMD_ADDRESS="$address"
        # Long names may be addresses, which need no file of hosts.
        export RABBITMQ_USE_LONGNAME=true RABBITMQ_NODENAME="thimble$1@$address"
        export RABBITMQ_CONFIG_FILE="$home/rabbitmq.conf"
        export RABBITMQ_CONF_ENV_FILE="$folder/none" RABBITMQ_ADVANCED_CONFIG_FILE="$folder/none"
        export RABBITMQ_ENABLED_PLUGINS_FILE="$folder/plugins" RABBITMQ_LOG_BASE="$home/log"
        export RABBITMQ_MNESIA_BASE="$home/data" RABBITMQ_PID_FILE="$home/own"
        export RABBITMQ_DIST_PORT=$((port + 10 + $1))
        # The cores are shared: one scheduler, which does not spin.
        export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none \
-kernel inet_dist_use_interface {${address//./,}}"
        cd "$home"
        close_others
        # shellcheck disable=SC2046
        exec setsid $(wrapper "$1") /usr/lib/rabbitmq/bin/rabbitmq-server \
            </dev/null >"$home/output" 2>&1
    ) &
    echo $! >"$home/pid"
}

answers() { # NODE: true once it accepts connections of AMQP
    /usr/bin/python3 - "$(address "$1")" $((port + $1)) <<'END'
import socket, sys
try:
    with socket.create_connection((sys.argv[1], int(sys.argv[2])), 2) as s:
        s.settimeout(2)
        s.sendall(b"AMQP\x00\x00\x09\x01")
        sys.exit(0 if s.recv(1) == b"\x01" else 1)
except OSError:
    sys.exit(1)
END
}

stop() { # FILE with a process number
    [ -s "$1" ] || return 0
    local process
    process=$(cat "$1")
    rm -f "$1"
    kill "$process" 2>/dev/null || return 0
    for _ in $(seq 300); do
        kill -0 "$process" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -9 "$process" 2>/dev/null || true
}

case "${1:-}" in
up)
    count=$2
    mkdir -p "$3"
    folder=$(realpath "$3")
    port=$(free_ports 20)
    echo "$count $port" >"$folder/nodes"
    echo "[]." >"$folder/plugins"
    (umask 077 && head -c 24 /dev/urandom | base64 | tr -dc A-Za-z0-9 >"$folder/.erlang.cookie")
    chmod 400 "$folder/.erlang.cookie"
    for node in $(seq "$count"); do
        if [ "$node" = 1 ] || [ "$(address "$node")" != "$(address 1)" ]; then start_names "$node"; fi
        configure "$node"
        start "$node"
    done
    urls=
    for node in $(seq "$count"); do
        until answers "$node"; do
            kill -0 "$(cat "$folder/$node/pid")" 2>/dev/null || {
                tail -n 20 "$folder/$node/output" >&2
                exit 1
            }
            sleep 0.3
        done
        urls+="${urls:+,}amqp://thimble:thimble@$(address "$node"):$((port + node))"
    done
    echo "$urls"
    ;;
kill)
    kill -9 "$(cat "$3/$2/pid")"
    ;;
start)
    folder=$(realpath "$3")
    read -r count port <"$folder/nodes"
    start "$2"
    ;;
down)
    folder=$(realpath "$2")
    for file in "$folder"/[0-9]*/pid; do stop "$file" & done
    wait
    for file in "$folder"/epmd-*.pid; do stop "$file"; done
    ;;
*)
    sed -n '2,10s/^# \?//p' "$0"
    exit 64
    ;;
esac
