/* SPDX-License-Identifier: GPL-2.0-only */
/* The display name of a method (method_name.h) in the three parts that events of the runtime have. */
#ifndef NT_DECODE_DISPLAY_PARTS_H
#define NT_DECODE_DISPLAY_PARTS_H

#include "decode/names/method_name.h"

/* All borrowed from the name, each may be empty: type, dot if there is a type, method and arguments are the name again. */
struct nt_display_parts {
	struct nt_slice type, method;
	struct nt_slice args; /* from the `(` on */
};

/* Of a name of any form: one without a dot, as functions of native code have it, is a method alone. */
struct nt_display_parts nt_display_parts_of(struct nt_slice name);

#endif
