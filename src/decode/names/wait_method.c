// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/wait_method.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 128 }; /* longer than any in the table */

struct entry {
	const char *name;
	struct nt_wait_method is;
};

static const struct entry entries[] = {
#define WAIT(name_, part_, kind_) { name_, { NT_WAIT_PART_##part_, NT_WAIT_##kind_ } },
#include "decode/names/wait_method.def"
#undef WAIT
};

static int compare(const void *key, const void *entry)
{
	return strcmp(key, ((const struct entry *)entry)->name);
}

static const struct entry *find(const char *name)
{
	return bsearch(name, entries, sizeof(entries) / sizeof(entries[0]), sizeof(entries[0]), compare);
}

/* Type and method alone: no arguments of either, types in types as if they were namespaces. False: too long for the table. */
static bool strip(const char *name, char *out)
{
	size_t used = 0;
	unsigned depth = 0;
	for (; *name && *name != '(' && *name != ' ' && *name != '@'; name++) {
		if (*name == '`') {
			name += strspn(name + 1, "0123456789");
		} else if (*name == '<' && used) {
			depth++;
		} else if (*name == '>' && depth) {
			depth--;
		} else if (!depth) {
			if (used + 1 >= NAME_BYTES)
				return false;
			out[used++] = *name == '+' ? '.' : *name;
		}
	}
	out[used] = '\0';
	return true;
}

struct nt_wait_method nt_wait_method_of(const char *name)
{
	char stripped[NAME_BYTES + sizeof("*")];
	if (!name || !strip(name, stripped))
		return (struct nt_wait_method){ 0 };
	const struct entry *found = find(stripped);
	char *dot = strrchr(stripped, '.');
	if (!found && dot) {
		strcpy(dot + 1, "*");
		found = find(stripped);
	}
	return found ? found->is : (struct nt_wait_method){ 0 };
}
