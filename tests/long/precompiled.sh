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
# shellcheck source=tests/tools/build-once.sh
. "$repo/tests/tools/build-once.sh"
build_begins precompiled
program=$out/bin/$name
if ! build_is_there "$program" "$workload"; then
	# Without the workload's nuget.config, which forbids all sources.
	mkdir -p "$out/source"
	cp "$workload"/*.cs "$workload/$name.csproj" "$out/source/"
	build_with "not to be had as '$form'" timeout 1200 dotnet publish "$out/source/$name.csproj" -c Release -r linux-x64 -p:UseAppHost=true \
		-p:PublishReadyToRun=true "$@" -o "$out/bin" --disable-build-servers -v quiet
	touch "$program"
fi
echo "$program"
