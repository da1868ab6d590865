#!/usr/bin/env bash
# Installs Python packages in .build/python, an environment on top of Debian's packages:
#
#   python.sh REQUIREMENT...    arguments of `pip install`; none makes only the environment
#   python.sh --each FILE       each line of a file by itself; skips those that are not available
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
environment=$(cd "$here/../.." && pwd)/.build/python

pip() { "$environment/bin/python" -m pip install --quiet --disable-pip-version-check "$@"; }

"$here/install.sh" python
[ -x "$environment/bin/python" ] || /usr/bin/python3 -m venv --system-site-packages "$environment"
if [ "${1:-}" = --each ]; then
    while read -r package; do
        pip "$package" </dev/null || echo "$package is not available; it is left out"
    done <"$2"
elif [ $# -gt 0 ]; then
    pip "$@"
fi
