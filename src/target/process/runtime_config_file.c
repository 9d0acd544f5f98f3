// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/runtime_config_file.h"

#include "base/affix.h"
#include "base/alloc.h"
#include "base/file.h"
#include "target/process/executable.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COMMAND_BYTES = 64 * 1024 };

/* `dotnet [host options] App.dll [arguments]`: one that is named beforehand, else that of the program. */
static char *named_by_arguments(const char *cmdline, size_t length)
{
	static const char option[] = "--runtimeconfig", library[] = ".dll";
	for (const char *p = cmdline; p < cmdline + length; p += strlen(p) + 1) {
		const char *next = p + strlen(p) + 1;
		if (strcmp(p, option) == 0 && next < cmdline + length)
			return nt_strdup(next);
		if (nt_ends_with(p, library) && strlen(p) > strlen(library))
			return nt_format("%.*s.runtimeconfig.json", (int)(strlen(p) - strlen(library)), p);
	}
	return NULL;
}

char *nt_runtime_config_path(const char *cmdline, size_t length, const char *folder, const char *executable)
{
	if (!nt_ends_with(executable, "/dotnet"))
		return *executable == '/' ? nt_format("%s.runtimeconfig.json", executable) : NULL;
	char *named = named_by_arguments(cmdline, length);
	if (!named || *named == '/')
		return named;
	char *path = *folder == '/' ? nt_format("%s/%s", folder, named) : NULL;
	free(named);
	return path;
}

/* Where a link of the kernel's leads to; "" = it cannot be read. */
static void read_link(const struct nt_target *target, const char *name, char path[PATH_MAX])
{
	char *link = nt_format("%s/%s", target->proc_dir, name);
	ssize_t length = readlink(link, path, PATH_MAX - 1);
	path[length > 0 ? length : 0] = '\0';
	free(link);
}

static char *path_of(const struct nt_target *target)
{
	char folder[PATH_MAX], executable[PATH_MAX], *cmdline, *path;
	size_t length;
	char *file = nt_format("%s/cmdline", target->proc_dir);
	if (nt_file_read(AT_FDCWD, file, COMMAND_BYTES, &cmdline, &length) != 0)
		length = 0;
	read_link(target, "cwd", folder);
	read_link(target, "exe", executable);
	path = nt_runtime_config_path(cmdline, length, folder, executable);
	free(cmdline);
	free(file);
	return path;
}

bool nt_runtime_config_of(const struct nt_target *target, char said[NT_RUNTIME_CONFIG_BYTES])
{
	struct nt_executable found = { 0 };
	if (target->deployment == NT_DEPLOYED_SINGLE_FILE) {
		nt_executable_read(target, &found); /* it is within the executable */
	} else {
		char *path = path_of(target);
		if (path)
			nt_executable_read_file(target, path, &found);
		free(path);
	}
	strcpy(said, found.config);
	return *said;
}
