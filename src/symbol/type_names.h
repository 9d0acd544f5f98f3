/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of objects in the words of C#, as the rows of allocations show them. */
#ifndef NT_SYMBOL_TYPE_NAMES_H
#define NT_SYMBOL_TYPE_NAMES_H

#include "symbol/names.h"

/* The table's text for a type that an event spells so (decode/names/type_name.h). */
const char *nt_type_names_keep(const struct nt_names *names, const char *raw, size_t length);

#endif
