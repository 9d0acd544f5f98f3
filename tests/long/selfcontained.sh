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
mkdir -p "$out/source"
out=$(cd "$out" && pwd)
program=$out/bin/$name

command -v dotnet >/dev/null 2>&1 || {
	echo "selfcontained: no dotnet here" >&2
	exit 3
}
# Two tests may ask at once; who waited finds the work done.
exec 9>"$out/lock"
flock 9
if [ ! -e "$program" ] || [ -n "$(find "$workload" -type f -newer "$program" | head -n 1)" ]; then
	# Without the workload's nuget.config, which forbids all sources.
	cp "$workload"/*.cs "$workload/$name.csproj" "$out/source/"
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME"
	timeout 600 dotnet publish "$out/source/$name.csproj" -c Release -r linux-x64 --self-contained -p:UseAppHost=true \
		-p:WorkloadFramework="$framework" -o "$out/bin" --disable-build-servers -v quiet >"$out/build.log" 2>&1 9>&- || {
		cat "$out/build.log" >&2
		echo "selfcontained: no $framework to be had (above)" >&2
		exit 3
	}
	touch "$program"
fi
echo "$program"
