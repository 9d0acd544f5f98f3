/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of objects, as events of allocations spell them, in the words of C#: System.Collections.Generic.List`1[System.Int32][] is System.Collections.Generic.List<int>[].
 * Of a nested type these events tell the innermost name alone, with the type arguments of all around it: Enumerator<int, string>.
 */
#ifndef NT_DECODE_TYPE_NAME_H
#define NT_DECODE_TYPE_NAME_H

#include "decode/names/type_text.h"

/* Into buf (NUL-terminated); returns its length. Use NT_METHOD_NAME_MAX for the size. What is not understood is written as it is. */
size_t nt_type_name_show(struct nt_slice raw, char *buf, size_t size);

#endif
