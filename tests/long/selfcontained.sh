#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Build the workload of the live tests together with a runtime of its own, which the machine's own NuGet sources must have.
#
# usage: selfcontained.sh FRAMEWORK [OUT [NAME]]    FRAMEWORK: net8.0, net9.0, ...; OUT: default build/selfcontained below the repository; NAME: of a folder of
# tests/live, default workload
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

framework=$1
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
name=${3:-workload}
workload=$repo/tests/live/$name
out=${2:-$repo/build/selfcontained}/$framework
[ "$name" = workload ] || out=$out-$name

# shellcheck source=tests/tools/build-once.sh
. "$repo/tests/tools/build-once.sh"
build_begins selfcontained
program=$out/bin/$name
if ! build_is_there "$program" "$workload"; then
	# Without the workload's nuget.config, which forbids all sources.
	mkdir -p "$out/source"
	cp "$workload"/*.cs "$workload/$name.csproj" "$out/source/"
	build_with "no $framework to be had" timeout 600 dotnet publish "$out/source/$name.csproj" -c Release -r linux-x64 --self-contained \
		-p:UseAppHost=true -p:WorkloadFramework="$framework" -o "$out/bin" --disable-build-servers -v quiet
	touch "$program"
fi
echo "$program"
