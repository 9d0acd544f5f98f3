/* SPDX-License-Identifier: GPL-2.0-only */
/* Names with commas between them, as one text: "Shop.Orders,-Npgsql". */
#ifndef NT_BASE_NAME_LIST_H
#define NT_BASE_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The next name: its length, and where it begins; *rest goes behind it. 0 at the end, and for an empty name. `rest` is not changed otherwise.
 *
 *	for (size_t length; (length = nt_name_list_next(&rest, &name));)
 */
size_t nt_name_list_next(const char **rest, const char **name);

/* Is that one of the names? */
bool nt_name_list_has(const char *list, const char *name);

/* Add a name at the end, unless it is there. False: there is no room, and nothing has changed. */
bool nt_name_list_add(char *list, size_t size, const char *name);

/* Take a name out, as often as it is there. */
void nt_name_list_remove(char *list, const char *name);

#endif
