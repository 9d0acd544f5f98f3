// SPDX-License-Identifier: GPL-2.0-only
#include "base/name_list.h"

#include <stdio.h>
#include <string.h>

size_t nt_name_list_next(const char **rest, const char **name)
{
	size_t length = strcspn(*rest, ",");
	*name = *rest;
	*rest += length + ((*rest)[length] == ',');
	return length;
}

/* Where it stands; NULL = it is not there. */
static const char *find(const char *list, const char *name)
{
	const char *at;
	for (size_t length; (length = nt_name_list_next(&list, &at));)
		if (length == strlen(name) && memcmp(at, name, length) == 0)
			return at;
	return NULL;
}

bool nt_name_list_has(const char *list, const char *name)
{
	return find(list, name);
}

bool nt_name_list_add(char *list, size_t size, const char *name)
{
	size_t used = strlen(list);
	if (nt_name_list_has(list, name))
		return true;
	if (used + strlen(name) + 2 > size)
		return false;
	snprintf(list + used, size - used, "%s%s", used ? "," : "", name);
	return true;
}

void nt_name_list_remove(char *list, const char *name)
{
	for (const char *found; (found = find(list, name));) {
		char *at = list + (found - list);
		size_t length = strlen(name);
		if (at[length] == ',')
			memmove(at, at + length + 1, strlen(at + length + 1) + 1);
		else
			at[at > list ? -1 : 0] = '\0';
	}
}
