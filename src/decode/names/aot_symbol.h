/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of Native AOT's compiler (ILCompiler, NativeAotNameMangler.cs), for code that its own stack traces have no name for. A symbol
 * is ASSEMBLY_TYPE__METHOD, and whatever is no letter or digit of it is an underscore: a dot, a +, an angle bracket, an underscore. So
 * little of it can be undone for certain, and no more is.
 */
#ifndef NT_DECODE_AOT_SYMBOL_H
#define NT_DECODE_AOT_SYMBOL_H

#include "decode/names/type_text.h"

/*
 * Put the symbol as it is, but for what is certain: the dot between type and method, where underscores follow each other in one place
 * only, and there two; and that S_P_CoreLib_ is the base library, which is left out. What stands in angle brackets is not touched.
 */
void nt_aot_symbol_put(struct nt_slice symbol, struct nt_text_out *out);

#endif
