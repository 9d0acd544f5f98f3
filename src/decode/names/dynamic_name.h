/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dynamic methods: code that the runtime, its libraries or the program emit while it runs. They have a name of whoever made them and no type, so the name is all that tells what they
 * are: an expression tree, a compiled regex, a dynamic call site, the resolver of a service, a call by reflection, a stub of the runtime's in IL.
 */
#ifndef NT_DECODE_DYNAMIC_NAME_H
#define NT_DECODE_DYNAMIC_NAME_H

#include "decode/names/type_text.h"

/* What stands in the place of their type. */
#define NT_DYNAMIC_TYPE "dynamicClass"

/*
 * Write what it is and is called, and take from *args (from behind the opening parenthesis) those that say nothing: its maker's own, which all of its kind have; length 0 when none are left to say.
 * One of no known kind is written as it is called.
 */
void nt_dynamic_name_put(struct nt_text_out *out, struct nt_slice name, struct nt_slice *args);

/* Is a method of this display name the program's own work, as what it wrote is, and none that the runtime or a library made to get there? True of what is no dynamic method. */
bool nt_dynamic_name_is_own(const char *display);

#endif
