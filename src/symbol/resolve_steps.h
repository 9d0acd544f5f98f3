/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of looking an address up: those of generated code (resolve_code.c) and the others (resolve.c). */
#ifndef NT_SYMBOL_RESOLVE_STEPS_H
#define NT_SYMBOL_RESOLVE_STEPS_H

#include "symbol/resolver_internal.h"

/* An address that was sampled. */
struct nt_hit {
	uint64_t address;
	nt_time time;
	uint64_t weight;
};

/* Why code has no name. */
struct nt_unnamed {
	enum nt_naming naming;
	const char *text; /* the table's; NULL = the words of `naming` */
};

uint32_t nt_resolve_key(struct nt_resolver *resolver, enum nt_code_kind kind, const char *name, const char *module, struct nt_unnamed why);

/* The answer holds no longer, and no further around the address, than this hit. */
static inline void nt_resolve_limit(struct nt_resolved *out, const struct nt_range_hit *hit)
{
	if (hit->valid_from > out->valid_from)
		out->valid_from = hit->valid_from;
	if (hit->valid_to < out->valid_to)
		out->valid_to = hit->valid_to;
	if (hit->extent.low > out->extent.low)
		out->extent.low = hit->extent.low;
	if (hit->extent.high < out->extent.high)
		out->extent.high = hit->extent.high;
}

/*
 * What is shown of a name that the runtime wrote, or would have written: in the perf map, or of precompiled code. `image`: where the
 * code lies, if that is the module of what has no assembly; NULL = it is not.
 */
void nt_resolve_managed(struct nt_resolver *resolver, nt_text_ref text, enum nt_code_kind kind, const char *image, struct nt_resolved *out);

/* ---- generated code ---- */

/* By the perf map or by an event. False: neither names it. */
bool nt_resolve_code(struct nt_resolver *resolver, const struct nt_hit *hit, struct nt_resolved *out);

/* What the runtime's own data say. */
enum nt_read {
	NT_READ_NOTHING, /* nothing, or nobody reads them */
	NT_READ_OPEN,    /* they are asked for */
	NT_READ_NAME,    /* *out has it */
	NT_READ_STUB,    /* it is no method's code */
	NT_READ_PASSING, /* it may be freed, and what was there at that time is not known */
};

/* Of code that the runtime generated. An answer holds for ever, but for code that may be freed. */
enum nt_read nt_resolve_read(struct nt_resolver *resolver, const struct nt_hit *hit, struct nt_resolved *out);

enum nt_line_check {
	NT_LINE_STANDS,  /* also while nobody knows better: then *out is provisional */
	NT_LINE_NAMED,   /* its name is another one, or a fuller one: *out has it */
	NT_LINE_REFUTED, /* no method is there */
};

/* Is a line of the perf map right of what was at that address at that time? `text`: of the line; 0 = it is still in the file. A line is never removed, and nobody says when its code has gone. */
enum nt_line_check nt_resolve_check_line(struct nt_resolver *resolver, const struct nt_hit *hit, const struct nt_range *line,
					 nt_text_ref text, struct nt_resolved *out);

/* By what else there is, or the reason why it has no name. `map`: the memory that it lies in. */
void nt_resolve_jitted(struct nt_resolver *resolver, const struct nt_range *map, const struct nt_hit *hit, struct nt_resolved *out);

/* What no other table names. Code that is not in the list either, and that a newer one might have, is noted in `needed` (NULL = it would not). */
bool nt_resolve_listed(struct nt_resolver *resolver, const struct nt_hit *hit, bool *needed, struct nt_resolved *out);

/* ---- what is to be asked: these return whether there is something ---- */

bool nt_resolve_want_place(struct nt_resolver *resolver, uint32_t image, const struct nt_place *place);

/* Of code that the perf map or an event names. *found: it does. */
bool nt_resolve_want_code(struct nt_resolver *resolver, const struct nt_hit *hit, bool *found);

/* What the runtime's data say of generated code. */
bool nt_resolve_want_read(struct nt_resolver *resolver, const struct nt_hit *hit);

#endif
