/* SPDX-License-Identifier: GPL-2.0-only */
/* What the methods of a precompiled image are called: made from the metadata when somebody asks. */
#ifndef NT_DECODE_R2R_NAME_H
#define NT_DECODE_R2R_NAME_H

#include "decode/assembly/r2r.h"

/* Where the metadata of a composite image's components come from. */
struct nt_r2r_components {
	/* Those of component `number`, which stay for the while of the call; NULL = not to be had. */
	const struct nt_metadata *(*of)(void *context, uint32_t number);
	void *context;
};

enum { NT_R2R_NAME_MAX = 4096 };

struct nt_r2r_name {
	/*
	 * As the perf map would have it, without tier: `RET [Assembly] Type::Method(ARGS)`, NUL-terminated. A part that the metadata do not tell is "?".
	 * Instances of a generic method all have the name of the method, as there.
	 */
	char text[NT_R2R_NAME_MAX];
	size_t length;
	uint32_t token;             /* of the method, within its assembly */
	uint32_t missing_component; /* NT_R2R_NO_METADATA: whose metadata are not to be had */
};

enum nt_r2r_naming {
	NT_R2R_NAMED,
	NT_R2R_NO_METADATA, /* those of out->missing_component */
	NT_R2R_UNNAMED,     /* the image is broken here, or of a form that is not known */
};

/* The name of the method whose code belongs to `owner` (nt_r2r_find). `components` is used for composite images only; NULL = none to be had. */
enum nt_r2r_naming nt_r2r_name(const struct nt_r2r *r2r, uint32_t owner, const struct nt_r2r_components *components,
			       struct nt_r2r_name *out);

#endif
