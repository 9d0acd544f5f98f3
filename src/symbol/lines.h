/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of the lines of a perf map. The code ranges refer to the lines as the runtime wrote them; what people read is made of the few that are
 * hit by a sample, when they are.
 */
#ifndef NT_SYMBOL_LINES_H
#define NT_SYMBOL_LINES_H

#include "decode/names/method_name.h"
#include "symbol/names.h"

/* All texts are the table's. */
struct nt_line_name {
	const char *name;     /* display form */
	const char *raw_name; /* as the runtime wrote it */
	const char *module;   /* assembly; NULL = not said */
	enum nt_tier tier;
	enum nt_code_kind kind;
	bool instance_untold; /* its signature has type parameters of the method's own (!!0), and nothing says what they stand for */
};

enum { NT_LINES_RECENT = 1 << 10 };

struct nt_lines {
	struct nt_names *names; /* borrowed */
	struct {
		nt_text_ref line; /* 0 = empty */
		struct nt_line_name name;
	} recent[NT_LINES_RECENT];      /* by reference: what is hot is asked for in every interval */
	struct nt_perfmap_name scratch; /* large, so not on the stack */
};

void nt_lines_init(struct nt_lines *lines, struct nt_names *names);

/* What a line says; `line` is not 0. Borrowed until the next call. */
const struct nt_line_name *nt_lines_name(struct nt_lines *lines, nt_text_ref line);

/* Its assembly (a text of the table) if its display name is `name`, which may come from an event, else NULL. Keeps no other text. */
const char *nt_lines_module(struct nt_lines *lines, nt_text_ref line, const char *name);

/* The references will mean something else (a compaction). */
void nt_lines_forget(struct nt_lines *lines);

#endif
