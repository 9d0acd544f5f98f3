// SPDX-License-Identifier: GPL-2.0-only
#include "base/mount_of.h"

#include "base/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES = 4 << 20 };

/* The kernel writes a space, a tab, a line's end and a backslash as \ and three octal digits. */
static void unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from; to++) {
		unsigned value;
		int length = 0;
		if (*from == '\\' && sscanf(from + 1, "%3o%n", &value, &length) == 1 && length == 3) {
			*to = (char)value;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static bool lies_below(const char *path, const char *mount, size_t length)
{
	return strncmp(path, mount, length) == 0 && (path[length] == '/' || !path[length] || (length && mount[length - 1] == '/'));
}

bool nt_mount_find(char *table, const char *path, char device[NT_MOUNT_DEVICE_BYTES])
{
	bool found = false;
	size_t longest = 0;
	char *rest;
	for (char *line = strtok_r(table, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char of_line[NT_MOUNT_DEVICE_BYTES];
		int at = 0;
		if (sscanf(line, "%*u %*u %23s %*s %n", of_line, &at) != 1 || !at)
			continue;
		char *mount = line + at;
		mount[strcspn(mount, " ")] = '\0';
		unescape(mount);
		size_t length = strlen(mount);
		/* Of two in the same place the later one lies above the other. */
		if (*mount != '/' || length < longest || !lies_below(path, mount, length))
			continue;
		longest = length;
		found = true;
		strcpy(device, of_line);
	}
	return found;
}

bool nt_mount_of(const char *path, char device[NT_MOUNT_DEVICE_BYTES])
{
	char table_path[48] = "/proc/self/mountinfo", *table;
	unsigned pid;
	int at = 0;
	if (sscanf(path, "/proc/%u/root%n", &pid, &at) == 1 && at && path[at] == '/') {
		snprintf(table_path, sizeof(table_path), "/proc/%u/mountinfo", pid);
		path += at;
	} else if (strncmp(path, "/proc/", sizeof("/proc/") - 1) == 0) {
		return false;
	}
	size_t length;
	if (nt_file_read(AT_FDCWD, table_path, TABLE_BYTES, &table, &length) != 0)
		return false;
	bool found = nt_mount_find(table, path, device);
	free(table);
	return found;
}
