#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Publish a program of the live tests precompiled, with the compiler (crossgen2) that the machine's own NuGet sources must have.
#
# usage: precompiled.sh FORM [OUT [NAME]]    FORM: composite (with a runtime of its own, all in one image), single (one file, on the machine's runtime),
#                                     alone, compressed (one file with a runtime of its own, packed in the latter),
#                                     pdb, embedded (on the machine's runtime, with its lines in a PDB beside it or in itself);
#                                     OUT: default build/precompiled below the repository; NAME: of a folder of tests/live, default workload
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

form=$1
here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
name=${3:-workload}
workload=$repo/tests/live/$name
out=${2:-$repo/build/precompiled}/$form
[ "$name" = workload ] || out=$out-$name
mkdir -p "$out/source"
out=$(cd "$out" && pwd)
program=$out/bin/$name

case $form in
composite) set -- --self-contained true -p:PublishReadyToRunComposite=true ;;
single) set -- --self-contained false -p:PublishSingleFile=true ;;
alone) set -- --self-contained true -p:PublishSingleFile=true ;;
compressed) set -- --self-contained true -p:PublishSingleFile=true -p:EnableCompressionInSingleFile=true ;;
pdb) set -- --self-contained false -p:DebugType=portable ;;
embedded) set -- --self-contained false -p:DebugType=embedded ;;
*)
	echo "precompiled: no form '$form'" >&2
	exit 1
	;;
esac
command -v dotnet >/dev/null 2>&1 || {
	echo "precompiled: no dotnet here" >&2
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
	timeout 1200 dotnet publish "$out/source/$name.csproj" -c Release -r linux-x64 -p:UseAppHost=true -p:PublishReadyToRun=true "$@" \
		-o "$out/bin" --disable-build-servers -v quiet >"$out/build.log" 2>&1 9>&- || {
		cat "$out/build.log" >&2
		echo "precompiled: not to be had as '$form' (above)" >&2
		exit 3
	}
	touch "$program"
fi
echo "$program"
