#!/bin/sh
# Runs a command in control groups, with all its children.
#
#   in_group.sh FOLDER[,FOLDER] COMMAND...
for group in $(echo "$1" | tr , ' '); do
    echo $$ >"$group/cgroup.procs" || exit 1
done
shift
exec "$@"
