/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of types and assemblies, put together from the rows of metadata. */
#ifndef NT_DECODE_METADATA_NAMES_H
#define NT_DECODE_METADATA_NAMES_H

#include "decode/assembly/metadata.h"
#include "decode/names/type_text.h"

/* Of one part of a name, with its NUL; what is longer is cut. The runtime's own limit is 1023. */
enum { NT_METADATA_NAME_BYTES = 512 };

/*
 * Namespace.Outer`1+Inner of a row of TypeDef or TypeRef; `nested` stands between a type and the one within it. Puts "?" for what there is not.
 */
void nt_metadata_put_type(const struct nt_metadata *md, enum nt_metadata_table table, uint32_t rid, char nested, struct nt_text_out *out);

/* The row of TypeDef whose method it is; 0 = none. */
uint32_t nt_metadata_type_of_method(const struct nt_metadata *md, uint32_t method_rid);

/* The assembly's own name, as `nt_metadata_string()`. */
size_t nt_metadata_assembly(const struct nt_metadata *md, char *buf, size_t size);

#endif
