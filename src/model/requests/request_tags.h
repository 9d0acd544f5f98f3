/* SPDX-License-Identifier: GPL-2.0-only */
/* The tags of a series, as the runtime writes them into one text: k=v,k=v. Nothing is escaped there, so a value may have commas of its own. */
#ifndef NT_MODEL_REQUEST_TAGS_H
#define NT_MODEL_REQUEST_TAGS_H

#include <stddef.h>

/*
 * The value of a tag, borrowed, not NUL-terminated; NULL: there is no such tag. It ends at the comma behind which another key begins: letters, digits, dots,
 * underscores and hyphens up to a `=`. Programs add tags of their own, whose keys may be any text: such a one is passed over where it is the first, else it is a part of the value before.
 */
const char *nt_request_tag(const char *tags, size_t length, const char *key, size_t *value_length);

#endif
