/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of types in .gcdump files, as people write them; roots are types in brackets there. */
#ifndef NT_DECODE_GCDUMP_NAMES_H
#define NT_DECODE_GCDUMP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The caller's: System.Collections.Generic.List<System.Int32> is System.Collections.Generic.List<int>; "System.Byte[] (Bytes > 10K)", by which large arrays are told apart, is byte[]; "[static var Shop.Cache.s_items]" is a root,
 * *is_root, "static Shop.Cache.s_items"; so is "[handles]", "handles". Without control characters.
 */
char *nt_gcdump_type_name(const char *text, size_t length, bool *is_root);

/* The class and the name of a static field, both the caller's, of such a root; *owner is NULL where the name stands alone. False: it is another root. */
bool nt_gcdump_static(const char *root, char **owner, char **field);

#endif
