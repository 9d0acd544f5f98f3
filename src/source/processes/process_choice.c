// SPDX-License-Identifier: GPL-2.0-only
#include "source/processes/process_choice.h"

#include "base/name_list.h"
#include "target/process/cgroup_path.h"

#include <stdio.h>
#include <string.h>

bool nt_process_choice_has_pid(const struct nt_process_choice *choice, uint32_t pid)
{
	char text[16];
	snprintf(text, sizeof(text), "%u", pid);
	return choice->named && nt_name_list_has(choice->named, text);
}

bool nt_process_choice_has_name(const struct nt_process_choice *choice, const char *comm, const char *name)
{
	return choice->named && (nt_name_list_has(choice->named, comm) || (name && nt_name_list_has(choice->named, name)));
}

bool nt_process_choice_is_of_pids(const struct nt_process_choice *choice)
{
	return choice->named && strspn(choice->named, "0123456789,") == strlen(choice->named);
}

/* A folder is a path below where the groups are mounted, perhaps by a controller's name (version 1) or `unified`. */
static bool is_path(const char *wanted, const char *path, size_t length)
{
	size_t wanted_length = strlen(wanted);
	while (wanted_length && wanted[wanted_length - 1] == '/')
		wanted_length--;
	return length >= wanted_length && strncmp(wanted, path, wanted_length) == 0 &&
	       (length == wanted_length || path[wanted_length] == '/');
}

static bool is_in(const char *wanted, const char *path, size_t length)
{
	const size_t root = strlen(NT_CGROUP_ROOT);
	if (strncmp(wanted, NT_CGROUP_ROOT, root) != 0 || (wanted[root] && wanted[root] != '/'))
		return is_path(wanted, path, length);
	wanted += root;
	if (is_path(wanted, path, length))
		return true;
	const char *below = *wanted ? strchr(wanted + 1, '/') : NULL;
	return below && is_path(below, path, length);
}

bool nt_process_choice_has_cgroup(const struct nt_process_choice *choice, const char *cgroup_text)
{
	for (const char *line = cgroup_text; *line;) {
		size_t length = strcspn(line, "\n");
		const char *first = memchr(line, ':', length);
		const char *second = first ? memchr(first + 1, ':', length - (size_t)(first + 1 - line)) : NULL;
		if (second && is_in(choice->cgroup, second + 1, length - (size_t)(second + 1 - line)))
			return true;
		line += length + (line[length] != '\0');
	}
	return false;
}
