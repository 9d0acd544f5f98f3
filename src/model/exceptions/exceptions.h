/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/exceptions: exceptions thrown. */
/*
 * Exceptions thrown (first chance), by type, by the place that throws, and the last of them one by one. The last message of each type is kept, cut to a bounded length,
 * and where most are thrown.
 */
#ifndef NT_MODEL_EXCEPTIONS_H
#define NT_MODEL_EXCEPTIONS_H

#include "base/index.h"
#include "base/texts.h"
#include "model/exceptions/throw_sites.h"
#include "model/exceptions/thrown.h"
#include "model/sites/site_counts.h"
#include "model/sites/site_tally.h"

enum {
	NT_EXCEPTION_TYPES = 1024,  /* rows; beyond: "(other types)" */
	NT_EXCEPTION_MESSAGE = 400, /* bytes kept of a message */
};

struct nt_exception_type {
	const char *type; /* the table's */
	uint64_t interval_count, total_count;
	uint64_t fate_count, caught_count; /* of so many it is known what became of them */
	struct nt_site_counts sites;
	struct nt_trend trend;
	bool shown; /* in a snapshot before */
	uint32_t message_length;
	char message[NT_EXCEPTION_MESSAGE];
};

struct nt_exceptions {
	struct nt_exception_type *items; /* owned; in order of appearance: the row id is the index + 1 */
	size_t count, capacity;
	struct nt_index by_type;     /* address of the text -> item */
	struct nt_site_tally throws; /* by item */
	uint64_t interval_count, total_count;
	uint64_t interval_caught, total_caught;
	struct nt_throw_sites sites;
	struct nt_thrown thrown;
	bool with_stacks; /* those that count are told with theirs: a runtime before .NET 9 walks the stack for every event */
	bool unhandled;   /* the one that ended the process is among them */
	bool untold;      /* in some interval there were exceptions, and nobody told of catches */
};

void nt_exceptions_init(struct nt_exceptions *exceptions);
void nt_exceptions_fini(struct nt_exceptions *exceptions);

/* `as` has the table's type or NULL, and the stack if that is told with it; message[0..length) is only read. */
void nt_exceptions_thrown(struct nt_exceptions *exceptions, const struct nt_throw *as, const char *message, size_t length);

/* The same of one that is told beside, with its stack; another stream counts it. */
void nt_exceptions_told(struct nt_exceptions *exceptions, const struct nt_throw *as, const char *message, size_t length);

/*
 * The process has ended by this one, as the last look at it says; for all calls but the first that changes nothing. It counts as thrown if no event has told of it. `as` has its stack, and its thread if that is known.
 */
void nt_exceptions_unhandled(struct nt_exceptions *exceptions, const struct nt_throw *as, const char *message, struct nt_sites *sites);

/* A catch block was entered. */
void nt_exceptions_caught(struct nt_exceptions *exceptions);

/* Fill figures and rows (messages and stacks into the snapshot) and start the next interval. */
void nt_exceptions_close(struct nt_exceptions *exceptions, bool interval_known, bool total_known, struct nt_sites *sites,
			 struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_exceptions_each_text(const struct nt_exceptions *exceptions, nt_text_visit *visit, void *context);

#endif
