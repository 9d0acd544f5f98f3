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

# shellcheck source=tests/tools/build-once.sh
. "$repo/tests/tools/build-once.sh"
build_begins database
program=$out/bin/database
if ! build_is_there "$program" "$here/database"; then
	mkdir -p "$out/source"
	cp "$here/database"/*.cs "$here/database/database.csproj" "$out/source/"
	build_with "not to be had with Npgsql $version" timeout 1200 dotnet publish "$out/source/database.csproj" -c Release -p:NpgsqlVersion="$version" \
		-o "$out/bin" --disable-build-servers -v quiet
	touch "$program"
fi
echo "$program"
