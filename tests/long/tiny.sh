#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Publish tests/long/tiny in one of the ways in which a program can carry its runtime, which the machine's own NuGet sources must have.
#
# usage: tiny.sh FORM FRAMEWORK OUT    FORM: self, single, compressed, aot, aot-port, aot-symbols; FRAMEWORK: net8.0, net9.0, ...
# stdout: the path of the program. exit: 0, 3 when this machine cannot deliver it (said on stderr)
set -eu

form=$1
framework=$2
source=$(cd "$(dirname "$0")/tiny" && pwd)
out=$3/$form-$framework

case $form in
self) set -- --self-contained ;;
single) set -- --self-contained -p:PublishSingleFile=true ;;
compressed) set -- --self-contained -p:PublishSingleFile=true -p:EnableCompressionInSingleFile=true ;;
aot) set -- -p:PublishAot=true ;;
aot-symbols) set -- -p:PublishAot=true -p:StackTraceSupport=false -p:StripSymbols=false ;;
aot-port) set -- -p:PublishAot=true -p:EventSourceSupport=true ;;
*)
	echo "tiny: no form '$form'" >&2
	exit 1
	;;
esac
# shellcheck source=tests/tools/build-once.sh
. "$source/../../tools/build-once.sh"
build_begins tiny
program=$out/bin/tiny
if ! build_is_there "$program" "$source"; then
	cp -R "$source" "$out/"
	build_with "no $framework as '$form' to be had" timeout 600 dotnet publish "$out/tiny/tiny.csproj" -c Release -r linux-x64 "$@" \
		-p:TinyFramework="$framework" -o "$out/bin" --disable-build-servers -v quiet
	touch "$program"
fi
echo "$program"
