#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What the scripts share that build a program with dotnet, or get one, for tests and the bench. Read by them, with `.`; each says in `out`
# which folder has all that comes of it.

# build_begins WHO: it is called that in messages. Makes `out` a whole path, and waits for whoever builds there: two tests may ask at once, and who waited finds the work done. Ends the script (3) where there is no dotnet.
build_begins() {
	who=$1
	mkdir -p "$out"
	out=$(cd "$out" && pwd)
	command -v dotnet >/dev/null 2>&1 || {
		echo "$who: no dotnet here" >&2
		exit 3
	}
	exec 9>"$out/lock"
	flock 9
}

# build_is_there PROGRAM SOURCE: it is, and newer than all files of that folder.
build_is_there() {
	[ -e "$1" ] && [ -z "$(find "$2" -type f -newer "$1" | head -n 1)" ]
}

# build_with LACK COMMAND...: run it, with what it says in $out/build.log. When it fails, that is shown with the sentence that says what is lacking, and the script ends (3).
build_with() {
	lack=$1
	shift
	export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_WORKLOAD_UPDATE_NOTIFY_DISABLE=1 HOME="${HOME:-$out/home}"
	export DOTNET_CLI_HOME="$HOME"
	"$@" >"$out/build.log" 2>&1 9>&- || {
		cat "$out/build.log" >&2
		echo "$who: $lack (above)" >&2
		exit 3
	}
}
