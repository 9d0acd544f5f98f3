#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Get a .NET tool (dotnet-trace, garnet-server), which nettop stands beside, is measured against or watches, from the machine's own NuGet sources.
#
# usage: dotnet-tool.sh NAME [OUT]    OUT: default build/NAME below the repository
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

name=$1
here=$(cd "$(dirname "$0")" && pwd)
out=${2:-$(cd "$here/../.." && pwd)/build/$name}

# shellcheck source=tests/tools/build-once.sh
. "$here/build-once.sh"
build_begins "$name"
program=$out/$name
if [ ! -x "$program" ]; then
	build_with "not to be had" timeout 300 dotnet tool install "$name" --tool-path "$out"
fi
echo "$program"
