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
mkdir -p "$3/$form-$framework"
out=$(cd "$3/$form-$framework" && pwd)
program=$out/bin/tiny

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
command -v dotnet >/dev/null 2>&1 || {
	echo "tiny: no dotnet here" >&2
	exit 3
}
# Two tests may ask at once; who waited finds the work done.
exec 9>"$out/lock"
flock 9
if [ ! -e "$program" ] || [ -n "$(find "$source" -type f -newer "$program" | head -n 1)" ]; then
	cp -R "$source" "$out/"
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME"
	timeout 600 dotnet publish "$out/tiny/tiny.csproj" -c Release -r linux-x64 "$@" -p:TinyFramework="$framework" -o "$out/bin" \
		--disable-build-servers -v quiet >"$out/build.log" 2>&1 9>&- || {
		cat "$out/build.log" >&2
		echo "tiny: no $framework as '$form' to be had (above)" >&2
		exit 3
	}
	touch "$program"
fi
echo "$program"
