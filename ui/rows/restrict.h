/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The methods of a part of the samples: of one thread, one module, one kind of code, of those in pauses for collections and of those outside (key x). Shares become those of the part.
 * What a part's methods called is not counted anywhere, so their totals are not known; of a thread and of the pauses the NT_HOT_METHODS hottest methods of the window are.
 */
#ifndef NT_UI_RESTRICT_H
#define NT_UI_RESTRICT_H

#include "nettop/snapshot.h"
#include "ui/screen/line.h"

enum { NT_RESTRICTION_NAME = 256 };

/* Whose code is left out (keys K and U): a set. */
enum nt_hide { NT_HIDE_KERNEL = 1, NT_HIDE_USER = 2, NT_HIDE_FOREIGN = 4 /* all but the program's own methods */ };

enum nt_part { NT_PART_ALL, NT_PART_THREAD, NT_PART_MODULE, NT_PART_KIND, NT_PART_PAUSES, NT_PART_OUTSIDE /* of pauses for collections */ };

/* Are its methods the NT_HOT_METHODS hottest of the window? */
static inline bool nt_part_is_hottest(enum nt_part part)
{
	return part == NT_PART_THREAD || part == NT_PART_PAUSES || part == NT_PART_OUTSIDE;
}

static inline bool nt_part_is_of_pauses(enum nt_part part)
{
	return part == NT_PART_PAUSES || part == NT_PART_OUTSIDE;
}

static inline enum nt_pause_side nt_part_side(enum nt_part part)
{
	return part == NT_PART_PAUSES ? NT_IN_PAUSES : part == NT_PART_OUTSIDE ? NT_OUTSIDE_PAUSES : NT_SIDE_NOT_TOLD;
}

struct nt_restriction {
	enum nt_part part;
	uint64_t thread_id; /* of its struct nt_thread_row */
	uint32_t tid;
	uint32_t alike; /* the row stood for so many threads, of which this is the first; 0 or 1 = for itself */
	bool named;
	char name[NT_RESTRICTION_NAME]; /* the thread's or the module's: as much of it as a title has room for */
	enum nt_code_kind kind;         /* NT_PART_KIND */
};

/* Of how many samples a side of the pauses is. */
struct nt_side_shares {
	double samples[NT_PAUSE_SIDES];
	bool told; /* the sides of the newest are known, or they are among those of which it is not told */
};

/* Of the methods, which are those of the samples that have a side; of the call stacks, among which the others are, too. */
struct nt_side_shares nt_side_shares_of_methods(const struct nt_pause_samples *samples);
struct nt_side_shares nt_side_shares_of_stacks(const struct nt_stack_tree *tree);

/* What is left of a process. All zero is an empty one. */
struct nt_restricted {
	struct nt_method_row *rows; /* owned */
	size_t capacity;
	struct nt_process_snapshot process; /* its methods are `rows`, the rest is borrowed */
};

/* With a copy of `name`, NULL = it has none. */
void nt_restriction_name(struct nt_restriction *restriction, const char *name);

struct nt_restriction nt_restriction_to_thread(const struct nt_thread_row *row);

/* Is this the module that it is restricted to? NULL = none. */
bool nt_restriction_is_of(const struct nt_restriction *restriction, const char *module);

/* Make `out` anew. `restriction` is not NT_PART_ALL. `is_span`: the process is that of a span of the past, whose window and interval both are the span. */
void nt_restrict(const struct nt_restriction *restriction, const struct nt_process_snapshot *process, bool is_span,
		 struct nt_restricted *out);
void nt_restricted_fini(struct nt_restricted *restricted);

/* What it is restricted to, for the title row: added to `out`. */
void nt_restriction_text(const struct nt_restriction *restriction, const struct nt_side_shares *shares, bool wide, struct nt_line *out);

#endif
