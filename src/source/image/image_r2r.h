/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The methods of one precompiled image file of the target. Between two visits only the table of its functions is kept (8 bytes each): no descriptor, no part of
 * the file. Reads files of others: run it by a hand (hand.h).
 */
#ifndef NT_SOURCE_IMAGE_R2R_H
#define NT_SOURCE_IMAGE_R2R_H

#include "decode/assembly/r2r_name.h"
#include "decode/unwind/frame_rule.h"
#include "source/image/image_file.h"

struct nt_image_r2r;

enum { NT_IMAGE_R2R_REASON = 200 };

/* The image that begins at `base` of the file (0, but in a single-file program). NULL: it has no names, with one sentence in `reason`. */
struct nt_image_r2r *nt_image_r2r_new(const struct nt_image_place *place, uint64_t base, char reason[NT_IMAGE_R2R_REASON]);
void nt_image_r2r_free(struct nt_image_r2r *image); /* NULL is allowed */

/* Memory it takes between visits. */
size_t nt_image_r2r_bytes(const struct nt_image_r2r *image);

enum nt_image_r2r_what {
	NT_IMAGE_R2R_METHOD,  /* `name` */
	NT_IMAGE_R2R_UNNAMED, /* a method, `reason` says why it has no name */
	NT_IMAGE_R2R_THUNK,   /* code between the methods: calls that are bound when they are first made */
	NT_IMAGE_R2R_NO_CODE, /* no precompiled code: a place in no section of the image, or the whole image, `reason` says which */
};

struct nt_image_r2r_answer {
	enum nt_image_r2r_what what;
	uint64_t start, end; /* offsets in the file to which it applies */
	struct nt_r2r_name name;
	char reason[NT_IMAGE_R2R_REASON];
};

/* What is at `offset` of the file? */
void nt_image_r2r_find(struct nt_image_r2r *image, uint64_t offset, struct nt_image_r2r_answer *out);

/* The IL that the code of a method was made of. */
struct nt_image_il {
	struct nt_batch_place *places; /* owned; start: offset in the file; by it, disjoint */
	size_t count;
	uint64_t start, end; /* of the method's code: offsets in the file */
};

/* The map of the method at `offset` of the file; *out is ended by free(out->places). False: there is none. */
bool nt_image_r2r_il(struct nt_image_r2r *image, uint64_t offset, struct nt_image_il *out);

/* All methods in the order of their addresses, for a map of the whole image: out->what is METHOD or UNNAMED. Start with *number = 0. False: no further one. */
bool nt_image_r2r_next(struct nt_image_r2r *image, uint32_t *number, struct nt_image_r2r_answer *out);

/* The rule of call chains for the code at `offset` of the file, and where it holds, offsets as well. False: there is none. Not in epilogs, of which nothing is said. */
bool nt_image_r2r_rule(struct nt_image_r2r *image, uint64_t offset, uint64_t *start, uint64_t *end, struct nt_frame_rule *rule);

/* The visit is over: close the files, give back what was read of them. */
void nt_image_r2r_rest(struct nt_image_r2r *image);

#endif
