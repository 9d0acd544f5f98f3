// SPDX-License-Identifier: GPL-2.0-only
/* Who may still come to a startup port: the environment with which a process was started tells what those get that it starts. */
#include "target/startup_port.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENVIRONMENT_BYTES = 8 << 20 }; /* more than Linux lets a program be started with */

/* Those that are gone, or closed to us, are none: an environment does not pass to another user. */
static bool is_heir(const char *pid, const char *setting)
{
	char path[64], *text;
	size_t length;
	snprintf(path, sizeof(path), "/proc/%.20s/environ", pid);
	if (nt_file_read(AT_FDCWD, path, ENVIRONMENT_BYTES, &text, &length) != 0)
		return false;
	bool is_one = memmem(text, length, setting, strlen(setting));
	free(text);
	return is_one;
}

bool nt_startup_port_has_heirs(const struct nt_startup_port *port)
{
	bool found = false;
	DIR *processes = opendir("/proc");
	for (struct dirent *entry; processes && !found && (entry = readdir(processes));)
		found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && is_heir(entry->d_name, nt_startup_port_setting(port));
	if (processes)
		closedir(processes);
	return found;
}
