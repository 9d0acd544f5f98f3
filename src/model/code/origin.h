/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a piece of code comes from: of each instruction the offset in IL, and of that the source line. What others said of it last. */
#ifndef NT_MODEL_ORIGIN_H
#define NT_MODEL_ORIGIN_H

#include "base/arena.h"
#include "nettop/annotation.h"
#include "nettop/source.h"
#include "symbol/names.h"

struct nt_origin_line {
	uint32_t il_offset; /* from here on */
	uint32_t line;      /* 0 = of none */
	const char *file;   /* the table's; NULL = not told */
};

/* All zero: nobody was asked yet. */
struct nt_origin {
	uint64_t start;                            /* of the code */
	nt_time read_asked, il_asked, lines_asked; /* of the first, whoever reads the runtime's data; then the runtime */
	bool read_failed, il_said, lines_said;     /* there was an answer; of the first, that it has none */
	struct nt_batch_place *il;                 /* owned; by address, disjoint */
	size_t il_count;
	struct nt_origin_line *lines; /* owned; by IL offset */
	size_t line_count;
	const char *reason; /* the table's; why there are no lines, or no offsets; NULL = there are, or there was no answer */
};

void nt_origin_fini(struct nt_origin *origin); /* leaves an empty one */

/* What was said of the code at origin->start; anything else is passed over. `reason`: the table's. What the events refer to is within the batch. */
void nt_origin_take_il(struct nt_origin *origin, const struct nt_ev_il_map *said, const struct nt_batch *batch, const char *reason);
void nt_origin_take_lines(struct nt_origin *origin, const struct nt_ev_source_lines *said, const struct nt_batch *batch, const char *reason,
			  struct nt_texts *texts);

/* Which code, and the name of its method as the runtime writes it. */
struct nt_origin_code {
	uint32_t pid;
	uint64_t start, end;
	enum nt_code_kind kind;
	const char *method;
	bool reads_data; /* somebody answers questions for NT_RUNTIME_IL_IMAGE */
};

enum { NT_ORIGIN_QUESTIONS = 2 };

/* What is still to be asked of `code`, at most NT_ORIGIN_QUESTIONS; their texts are those of `code`. Returns how many. Other code than before: what was said goes. */
size_t nt_origin_ask(struct nt_origin *origin, const struct nt_origin_code *code, nt_time now, struct nt_question *out);

/* Tell each of the rows which line it is of; texts that are not the table's go into the arena. */
void nt_origin_fill(const struct nt_origin *origin, struct nt_arena *arena, struct nt_instruction_row *rows, size_t count);

/* The IL offset at `address`; NT_IL_NO_MAPPING = not known, or of no IL. */
uint32_t nt_origin_il(const struct nt_origin *origin, uint64_t address);

/* The line that an IL offset is of; NULL = none. */
const struct nt_origin_line *nt_origin_line(const struct nt_origin *origin, uint32_t il_offset);

#endif
