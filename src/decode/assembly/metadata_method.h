/* SPDX-License-Identifier: GPL-2.0-only */
/* Methods of an assembly by the name that the runtime's perf map has for them, both ways. */
#ifndef NT_DECODE_METADATA_METHOD_H
#define NT_DECODE_METADATA_METHOD_H

#include "decode/assembly/metadata_names.h"

/*
 * Put `RET [Assembly] Type::Method(ARGS)` of row `rid` of MethodDef. `type` stands for its type; when that is empty, the type's own name. Without a signature that
 * can be read there are no arguments: `?` stands for them, and for what is returned. False: there is no such method.
 */
bool nt_metadata_put_method(const struct nt_metadata *md, uint32_t rid, const struct nt_text_out *type, struct nt_text_out *out);

/* The same with `arguments` behind the method's name, "[System.Int32]": which instance of a generic method it is. "" = of none, or it is not said. */
bool nt_metadata_put_instance(const struct nt_metadata *md, uint32_t rid, const struct nt_text_out *type, struct nt_slice arguments,
			      struct nt_text_out *out);

/*
 * The row of MethodDef that `raw` is the name of, with or without tier, of whichever instance of it; 0: there is none, or there are several that cannot be told
 * apart.
 */
uint32_t nt_metadata_find_method(const struct nt_metadata *md, struct nt_slice raw);

#endif
