// SPDX-License-Identifier: GPL-2.0-only
#include "app/ssh/ssh_script.h"

#include "base/alloc.h"
#include "base/shell_word.h"
#include "base/text_buffer.h"
#include "target/common/as_root.h"

#include <stdio.h>
#include <stdlib.h>

const char nt_ssh_look_script[] =
	"echo \"nettop-far machine $(uname -s) $(uname -m)\"\n"
	"found=$(command -v nettop)\n"
	"for place in \"$found\" \"$HOME/.local/bin/nettop\" \"$HOME/.local/nettop/bin/nettop\" /usr/local/bin/nettop "
	"/opt/nettop/bin/nettop; do\n"
	"	case $place in\n"
	"	/*) if [ -f \"$place\" ] && [ -x \"$place\" ]; then echo \"nettop-far program $place\"; break; fi ;;\n"
	"	esac\n"
	"done\n"
	"echo \"nettop-far folder ${TMPDIR:-/tmp}\"\n"
	"echo 'nettop-far end'\n";

/*
 * Its arguments: the name of the loader, and how many KB there must be room for. /tmp is often mounted so that nothing in it is executed: what can be executed in a folder is tried. What df does not know may be
 * enough. The traps are gone before the guard begins, so that a signal which comes before it has its own ends it.
 */
static const char copy_script[] =
	"umask 077\n"
	"give_up() { rm -rf -- \"$folder\"; exit \"$1\"; }\n"
	"trap 'give_up 1' HUP INT TERM\n"
	"why=10\n"
	"for place in \"${TMPDIR:-/tmp}\" /var/tmp \"${HOME:-/var/tmp}\" /dev/shm; do\n"
	"	folder=$(mktemp -d \"$place/nettop.XXXXXXXXXX\" 2>/dev/null) || continue\n"
	"	if df -Pk \"$folder\" 2>/dev/null |\n"
	"		{ read -r title; read -r device all used room rest && [ \"$room\" -lt \"$2\" ] 2>/dev/null; }; then\n"
	"		why=11\n"
	"	elif { echo '#!/bin/sh' >\"$folder/try\" && chmod 700 \"$folder/try\"; } 2>/dev/null; then\n"
	"		if \"$folder/try\" 2>/dev/null; then why=; break; fi\n"
	"		why=12\n"
	"	else\n"
	"		why=11\n"
	"	fi\n"
	"	rm -rf -- \"$folder\"\n"
	"done\n"
	"if [ -n \"$why\" ]; then exit \"$why\"; fi\n"
	"tar -x -f - -C \"$folder\" || give_up 11\n"
	"\"$folder/$1\" --library-path \"$folder\" \"$folder/nettop\" --version >/dev/null || give_up 12\n"
	"trap - HUP INT TERM\n"
	"(trap 'kill $!; exit' TERM; sleep 30 & wait $!; rm -rf -- \"$folder\") </dev/null >/dev/null 2>&1 &\n"
	"echo $! >\"$folder/guard\"\n"
	"echo \"nettop-far folder $folder\"\n"
	"echo 'nettop-far end'\n";

/*
 * Its arguments: the folder or "", "watch" or "", the locale, the host's name, nettop and its own. The shell stays, to remove the folder, so it must outlive what ends nettop; a signal that is
 * trapped, and not ignored, is as usual for nettop. `read` is the shell's own, so that nothing is left when its process is killed; that one begins before the traps, which a shell of a shell
 * forgets a moment after it began: a signal in that moment would be lost.
 */
static const char start_script[] = "folder=$1; watch=$2\n"
				   "if [ -z \"$LC_ALL$LC_CTYPE$LANG\" ]; then LC_CTYPE=$3; export LC_CTYPE; fi\n" NT_SSH_HOST_VARIABLE
				   "=$4; export " NT_SSH_HOST_VARIABLE "\n"
				   "shift 4\n"
				   "if [ -n \"$watch\" ]; then\n"
				   "	exec 3<&0\n"
				   "	\"$@\" </dev/null 3<&- &\n"
				   "	nettop=$!\n"
				   "	(while read -r line; do :; done; kill -TERM $nettop) <&3 >/dev/null 2>&1 &\n"
				   "	watch=$!\n"
				   "fi\n"
				   "trap : HUP INT TERM\n"
				   "if [ -n \"$folder\" ]; then kill \"$(cat \"$folder/guard\" 2>/dev/null)\" 2>/dev/null; fi\n"
				   "if [ -z \"$watch\" ]; then\n"
				   "	\"$@\"\n"
				   "	status=$?\n"
				   "else\n"
				   "	wait $nettop\n"
				   "	status=$?\n"
				   "	while [ $status -gt 128 ] && kill -0 $nettop 2>/dev/null; do wait $nettop; status=$?; done\n"
				   "	kill $watch 2>/dev/null\n"
				   "fi\n"
				   "if [ -n \"$folder\" ]; then rm -rf -- \"$folder\"; fi\n"
				   "exit $status\n";

static void put_word(struct nt_text_buffer *line, const char *text)
{
	char *word = nt_shell_word(text);
	nt_text_put(line, *word ? word : "''");
	nt_text_put_char(line, ' ');
	free(word);
}

char *nt_ssh_copy_line(const char *loader, size_t bytes)
{
	struct nt_text_buffer line = { 0 };
	char room[32];
	snprintf(room, sizeof(room), "%zu", (bytes >> 10) + 1);
	nt_text_put(&line, "exec sh -c ");
	put_word(&line, copy_script);
	put_word(&line, "nettop");
	put_word(&line, loader);
	put_word(&line, room);
	return nt_text_buffer_take(&line);
}

char *nt_ssh_start_line(const struct nt_ssh_start *start)
{
	struct nt_text_buffer line = { 0 };
	nt_text_put(&line, "exec sh -c ");
	put_word(&line, start_script);
	put_word(&line, "nettop");
	put_word(&line, start->folder ? start->folder : "");
	put_word(&line, start->input_is_watch ? "watch" : "");
	put_word(&line, start->ctype);
	put_word(&line, start->host);
	if (start->loader) {
		char *loader = nt_format("%s/%s", start->folder, start->loader);
		put_word(&line, loader);
		put_word(&line, "--library-path");
		put_word(&line, start->folder);
		free(loader);
	}
	for (char *const *word = start->argv; *word; word++)
		put_word(&line, *word);
	return nt_text_buffer_take(&line);
}
