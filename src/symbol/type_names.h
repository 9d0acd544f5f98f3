/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of objects in the words of C#, as the rows of allocations show them. */
#ifndef NT_SYMBOL_TYPE_NAMES_H
#define NT_SYMBOL_TYPE_NAMES_H

#include "symbol/names.h"

/* The table's text for a type that an event spells so (decode/names/type_name.h). */
const char *nt_type_names_keep(const struct nt_names *names, const char *raw, size_t length);

/*
 * Events tell of a type within another one its own name alone: Enumerator[System.Int32] stands for System.Collections.Generic.List`1+Enumerator[System.Int32]. May this be the name of such a type? It has no
 * namespace then; nor has that of a type without one.
 */
bool nt_type_names_may_be_within(const char *raw, size_t length);

/* A hash of a type's own name, without what is around it and without arguments; 0: it has none. */
uint64_t nt_type_names_own(const char *raw, size_t length);

#endif
