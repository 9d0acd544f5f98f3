/* SPDX-License-Identifier: GPL-2.0-only */
/* The tags of a series, as the runtime writes them into one text: k=v,k=v. Nothing is escaped there, so a value may have commas of its own. */
#ifndef NT_MODEL_REQUEST_TAGS_H
#define NT_MODEL_REQUEST_TAGS_H

#include <stddef.h>

/*
 * The value of a tag, borrowed, not NUL-terminated; NULL: there is no such tag. It ends at the comma behind which another key begins: lower-case letters, digits, dots
 * and underscores up to a `=`.
 */
const char *nt_request_tag(const char *tags, size_t length, const char *key, size_t *value_length);

#endif
