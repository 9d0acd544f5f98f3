/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types in the words of C#, whole: System.Collections.Generic.Dictionary`2+Entry[System.String,Shop.Order][] is System.Collections.Generic.Dictionary<string, Shop.Order>.Entry[]. For who must tell types apart: nt_type_name_show()
 * says arguments without their namespaces.
 */
#ifndef NT_DECODE_TYPE_FULL_H
#define NT_DECODE_TYPE_FULL_H

#include "decode/names/type_text.h"

/* Into buf (NUL-terminated); returns its length. What is of no such form is written as it is. */
size_t nt_type_full_show(struct nt_slice raw, char *buf, size_t size);

#endif
