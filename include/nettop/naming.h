/* SPDX-License-Identifier: GPL-2.0-only */
/* How code got its name, or why it has none. The table is naming.def. */
#ifndef NETTOP_NAMING_H
#define NETTOP_NAMING_H

enum nt_naming_class {
	NT_NAMING_CLASS_NAMED,
	NT_NAMING_CLASS_STUB,
	NT_NAMING_CLASS_BOUNDED, /* no name, but the exact bounds of the function */
	NT_NAMING_CLASS_REASON,  /* neither, and why */
	NT_NAMING_CLASS_COUNT
};

enum nt_naming {
#define NAMING(id, class, key, words, explanation) NT_NAMING_##id,
#include "nettop/naming.def"
	NT_NAMING_COUNT
};

struct nt_naming_entry {
	enum nt_naming_class class;
	const char *key, *words, *explanation; /* see naming.def; words "" = it has its name */
};

/* Never NULL; that of NT_NAMING_NAMED for a value out of range. */
const struct nt_naming_entry *nt_naming_entry(unsigned naming);

#endif
