// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/elevated.h"

#include "base/alloc.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* What is loaded or written by these is code in a process that has rights, or a file written with them; what TERMINFO leads to is read by a library that is not made for hostile ones. */
static const char *const dangerous[] = {
	"BABELTRACE_PLUGIN_PATH",             /* libbabeltrace2: folders of libraries */
	"LIBBABELTRACE2_PLUGIN_PROVIDER_DIR", /* likewise */
	"BABELTRACE_EXEC_ON_ABORT",
	"SSLKEYLOGFILE", /* libcurl: a file that it appends to */
	"TERMINFO",
	"TERMINFO_DIRS",
	"TERMCAP",
};

/* Where the system has its descriptions of terminals, as ncurses looks for them. */
static const char *const terminals[] = { "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo" };

/* The folder that has this one; NULL: none has. */
static const char *folder_of(const char *type)
{
	char path[PATH_MAX];
	for (size_t i = 0; *type && !strchr(type, '/') && i < sizeof(terminals) / sizeof(terminals[0]); i++)
		if (snprintf(path, sizeof(path), "%s/%c/%s", terminals[i], *type, type) < (int)sizeof(path) && access(path, R_OK) == 0)
			return terminals[i];
	return NULL;
}

/* ncurses looks into the home, too, unless it is told of a folder that has the description. One that only the person has is taken for what nearly all terminals are. */
static void choose_terminal(void)
{
	static const char usual[] = "xterm-256color";
	const char *type = getenv("TERM"), *folder = type ? folder_of(type) : NULL;
	if (type && !folder) {
		folder = folder_of(usual);
		if (folder)
			setenv("TERM", usual, 1);
		else
			unsetenv("TERM");
	}
	if (folder)
		setenv("TERMINFO", folder, 1);
}

static char **as_given; /* NULL: as it is */

/* The kernel lays the variables between the arguments and the name of the file (fs/exec.c). What the loader takes away it takes out of `environ` only, the texts stay. */
static void keep_environment(char *const *argv)
{
	char *at = argv[0], *end = (char *)(uintptr_t)getauxval(AT_EXECFN); // NOLINT(performance-no-int-to-ptr)
	size_t count = 0, capacity = 0;
	for (size_t i = 0; argv[i]; i++)
		at = argv[i];
	if (!at || !end)
		return;
	for (at += strlen(at) + 1; at < end; at += strlen(at) + 1) {
		as_given = nt_grow(as_given, &capacity, count + 2, sizeof(*as_given));
		as_given[count++] = at;
		as_given[count] = NULL;
	}
}

char **nt_elevated_environment(void)
{
	return as_given ? as_given : environ;
}

enum nt_status nt_elevated_begin(char *const *argv, struct nt_error *err)
{
	if (getuid() != geteuid() || getgid() != getegid())
		return nt_error_set(err, NT_ERR_FORBIDDEN,
				    "nettop's file, or what started it, has the set-user-ID or set-group-ID bit, for which it is not made: "
				    "take it away "
				    "(chmod u-s,g-s), and give it capabilities (README.md, \"Without sudo\") or use sudo");
	if (!getauxval(AT_SECURE))
		return NT_OK;
	keep_environment(argv);
	for (size_t i = 0; i < sizeof(dangerous) / sizeof(dangerous[0]); i++)
		unsetenv(dangerous[i]);
	choose_terminal();
	return NT_OK;
}
