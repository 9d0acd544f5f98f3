#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Publish tests/long/database with a version of Npgsql that the machine's own NuGet sources must have.
#
# usage: database.sh VERSION [OUT]    OUT: default build/database below the repository
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

version=$1
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
out=${2:-$repo/build/database}/$version
mkdir -p "$out/source"
out=$(cd "$out" && pwd)
program=$out/bin/database

command -v dotnet >/dev/null 2>&1 || {
	echo "database: no dotnet here" >&2
	exit 3
}
if [ ! -e "$program" ] || [ -n "$(find "$here/database" -type f -newer "$program" | head -n 1)" ]; then
	cp "$here/database"/*.cs "$here/database/database.csproj" "$out/source/"
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME"
	timeout 1200 dotnet publish "$out/source/database.csproj" -c Release -p:NpgsqlVersion="$version" -o "$out/bin" --disable-build-servers -v quiet \
		>"$out/build.log" 2>&1 || {
		cat "$out/build.log" >&2
		echo "database: not to be had with Npgsql $version (above)" >&2
		exit 3
	}
	touch "$program"
fi
echo "$program"
