/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Images (files, the kernel, the vdso) and what is known about places in them. A place is (image, file offset); for the kernel the
 * offset is the address. Names come as answers to questions: a place that was sampled and has no answer yet is an open question.
 */
#ifndef NT_SYMBOL_IMAGES_H
#define NT_SYMBOL_IMAGES_H

#include "base/index.h"
#include "nettop/source.h"
#include "symbol/names.h"
#include "symbol/ranges.h"

struct nt_place {
	uint64_t offset;
	uint64_t map_start, map_end; /* an address range that maps it; 0 = none */
	uint64_t weight;             /* samples that wait for the answer */
	nt_time due;                 /* when to ask (again) */
	uint32_t asked_count;
};

struct nt_image {
	const char *path; /* as in the MAP event */
	const char *base; /* last part of path; "[kernel]", "[vdso]". Both are texts of the table, or constant */
	uint64_t inode;
	struct nt_ranges names;  /* answers: a = name, b = reason, c = nt_answer_word(); from = when it was looked, of what may change */
	struct nt_place *places; /* owned; open questions */
	size_t place_count, place_capacity;
	struct nt_index place_of; /* offset -> index in places */
	size_t answers_looked;    /* answers that were left when it was last looked which are still needed */
};

/* What an answer says in numbers, in one word. */
static inline uint32_t nt_answer_word(enum nt_code_kind kind, enum nt_naming naming)
{
	return (uint32_t)kind | (uint32_t)naming << 8;
}

static inline enum nt_code_kind nt_answer_kind(uint32_t word)
{
	return (enum nt_code_kind)(word & 0xff);
}

static inline enum nt_naming nt_answer_naming(uint32_t word)
{
	return (enum nt_naming)(word >> 8);
}

struct nt_images {
	struct nt_names *names; /* borrowed */
	struct nt_image *items; /* owned */
	size_t count, capacity;
	size_t open_count;     /* places of all images */
	size_t place_names;    /* texts made for open places, bounded */
	bool replaced;         /* see nt_images_replaced() */
	struct nt_index index; /* (path, inode) -> image */
};

enum {
	NT_IMAGE_KERNEL = 0, /* always there */
	NT_IMAGE_LIMIT = 1 << 16,
	NT_PLACE_LIMIT = 1 << 15, /* open at a time */
};

void nt_images_init(struct nt_images *images, struct nt_names *names);
void nt_images_fini(struct nt_images *images);

/* The image of this path (a text of the table) and inode, made when new. Beyond the limit: the one image "(other images)". */
uint32_t nt_images_intern(struct nt_images *images, const char *path, uint64_t inode);

/* The same for a path in the heap; 0 = an image without a name. */
uint32_t nt_images_intern_ref(struct nt_images *images, nt_text_ref path, uint64_t inode);

/* An answer: [start, end) of the image is called `name`, or has no name because of `reason`. Closes the questions that it answers. */
void nt_images_answer(struct nt_images *images, const struct nt_ev_name *answer, nt_text_ref path, nt_text_ref name, nt_text_ref reason);

/* Will the next settle replace an answer? Others only answer open questions. */
static inline bool nt_images_replaced(const struct nt_images *images)
{
	return images->replaced;
}

/* Make the answers findable. Returns whether there were any. */
bool nt_images_settle(struct nt_images *images, nt_time now);

/* The answer for a place, if there is one yet. */
struct nt_range_hit nt_images_find(const struct nt_images *images, uint32_t image, uint64_t offset);

/* Note that `weight` samples wait for the name of a place. */
void nt_images_want(struct nt_images *images, uint32_t image, const struct nt_place *place);

/*
 * Questions that are due at `now`, those with most samples first, at most `max`. Marks them as asked; one without an answer is due again after
 * 2, 8 and 30 s, and then answered with "no answer". An array of *count that is the caller's; NULL when there are none.
 */
struct nt_question *nt_images_ask(struct nt_images *images, nt_time now, uint32_t pid, size_t max, size_t *count);

void nt_images_each_ref(struct nt_images *images, nt_ref_visit *visit, void *context);
void nt_images_each_text(const struct nt_images *images, nt_text_visit *visit, void *context);

#endif
