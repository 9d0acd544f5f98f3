// SPDX-License-Identifier: GPL-2.0-only
#include "base/own_program.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static char self[] = "/proc/self/exe";

/* The kernel says where it has put the interpreter of a program; a loader that is executed itself has none. It gives the program it loads the path as the first word. */
bool nt_own_program_is_carried(void)
{
	return getauxval(AT_BASE) == 0 && program_invocation_name[0] == '/' && strlen(program_invocation_name) < PATH_MAX;
}

void nt_own_program_path(char path[PATH_MAX])
{
	path[0] = '\0';
	if (nt_own_program_is_carried()) {
		strcpy(path, program_invocation_name);
		return;
	}
	ssize_t length = readlink(self, path, PATH_MAX - 1);
	path[length > 0 ? length : 0] = '\0';
}

void nt_own_program_execute(char *const *words, char *const *environment)
{
	static char option[] = "--library-path";
	char program[PATH_MAX], folder[PATH_MAX];
	char *loaded[NT_OWN_PROGRAM_WORDS + 4] = { words[0], option, folder, program };
	if (!nt_own_program_is_carried()) {
		execve(self, words, environment);
		return;
	}
	nt_own_program_path(program);
	strcpy(folder, program);
	*strrchr(folder, '/') = '\0';
	for (size_t i = 1; i < NT_OWN_PROGRAM_WORDS && words[i]; i++)
		loaded[3 + i] = words[i];
	execve(self, loaded, environment);
}
