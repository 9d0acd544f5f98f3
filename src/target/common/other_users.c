// SPDX-License-Identifier: GPL-2.0-only
#include "target/common/other_users.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/file_name.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* As login.defs(5) has them where nobody has changed it. */
enum { FIRST_PERSON = 1000, NOBODY = 65534, PASSWD_BYTES = 1 << 20 };

static bool is_somebody_else(unsigned long uid)
{
	const char *caller = getenv("SUDO_UID");
	return uid >= FIRST_PERSON && uid != NOBODY && uid != getuid() && !(caller && uid == strtoul(caller, NULL, 10));
}

/* name:password:uid:gid:comment:home:shell */
static bool is_other_account(char *line)
{
	static const char *const closed[] = { "nologin", "false", "sync" };
	char *fields[7];
	size_t count = 0;
	for (char *field; count < 7 && (field = strsep(&line, ":"));)
		fields[count++] = field;
	if (count < 7 || !is_somebody_else(strtoul(fields[2], NULL, 10)))
		return false;
	const char *shell = nt_file_base_name(fields[6]);
	for (size_t i = 0; i < sizeof(closed) / sizeof(closed[0]); i++)
		if (strcmp(shell, closed[i]) == 0)
			return false;
	return true;
}

static bool has_account(const char *root)
{
	char *path = nt_format("%s/etc/passwd", root), *text = NULL, *at;
	size_t length;
	bool found = false;
	if (nt_file_read(AT_FDCWD, path, PASSWD_BYTES, &text, &length) == 0)
		for (at = text; at && !found;)
			found = is_other_account(strsep(&at, "\n"));
	free(text);
	free(path);
	return found;
}

static bool has_process(const char *root)
{
	char *path = nt_format("%s/proc", root);
	DIR *processes = opendir(path);
	bool found = false;
	for (struct dirent *entry; processes && !found && (entry = readdir(processes));) {
		struct stat stat;
		found = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && fstatat(dirfd(processes), entry->d_name, &stat, 0) == 0 &&
			is_somebody_else(stat.st_uid);
	}
	if (processes)
		closedir(processes);
	free(path);
	return found;
}

bool nt_host_has_other_users(const char *root)
{
	return has_account(root) || has_process(root);
}
