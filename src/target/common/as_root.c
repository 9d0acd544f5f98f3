// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/as_root.h"

#include "base/own_program.h"
#include "base/alloc.h"
#include "base/shell_word.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Debian's secure_path has /usr/local/bin, too; that of Red Hat has not. */
static bool sudo_finds(const char *program)
{
	static const char *const paths[] = { "/usr/bin/nettop", "/bin/nettop", "/usr/sbin/nettop", "/sbin/nettop" };
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (strcmp(program, paths[i]) == 0)
			return true;
	return false;
}

/* What the kernel writes behind the path of a file that has no name any more: what has its name now is the newer one. */
static size_t without_deleted(const char *program)
{
	static const char deleted[] = " (deleted)";
	size_t length = strlen(program), more = sizeof(deleted) - 1;
	return length > more && strcmp(program + length - more, deleted) == 0 ? length - more : length;
}

char *nt_as_root_of(const char *program, uint32_t pid)
{
	char *path = nt_format("%.*s", (int)without_deleted(program), program);
	char *word = nt_shell_word(*path && !sudo_finds(path) ? path : "nettop");
	char *command = nt_format("sudo %s -p %u", word, pid);
	free(word);
	free(path);
	return command;
}

char *nt_as_root_there(const char *host, uint32_t pid)
{
	static const char scheme[] = "ssh://";
	bool is_uri = strncmp(host, scheme, sizeof(scheme) - 1) == 0;
	const char *machine = strrchr(host, '@');
	machine = machine ? machine + 1 : is_uri ? host + sizeof(scheme) - 1 : host;
	char *place = nt_format("%sroot@%s", is_uri ? scheme : "", machine);
	char *word = nt_shell_word(place);
	char *command = nt_format("nettop --ssh %s -p %u", word, pid);
	free(word);
	free(place);
	return command;
}

char *nt_as_root(uint32_t pid)
{
	char program[PATH_MAX];
	const char *host = getenv(NT_SSH_HOST_VARIABLE);
	if (nt_own_program_is_carried() && host && *host)
		return nt_as_root_there(host, pid);
	nt_own_program_path(program);
	return nt_as_root_of(program, pid);
}
