/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/exceptions: exceptions thrown. */
/* Exceptions thrown (first chance), by type. The last message of each type is kept, cut to a bounded length, and where most are thrown. */
#ifndef NT_MODEL_EXCEPTIONS_H
#define NT_MODEL_EXCEPTIONS_H

#include "base/index.h"
#include "base/texts.h"
#include "model/sites/site_counts.h"
#include "model/sites/site_tally.h"

enum {
	NT_EXCEPTION_TYPES = 1024,  /* rows; beyond: "(other types)" */
	NT_EXCEPTION_MESSAGE = 400, /* bytes kept of a message */
};

struct nt_exception_type {
	const char *type; /* the table's */
	uint64_t interval_count, total_count;
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
	bool untold; /* in some interval there were exceptions, and nobody told of catches */
};

void nt_exceptions_init(struct nt_exceptions *exceptions);
void nt_exceptions_fini(struct nt_exceptions *exceptions);

/* `type` is the table's or NULL; message[0..length) is only read. */
void nt_exceptions_thrown(struct nt_exceptions *exceptions, const char *type, const char *message, size_t length);

/* One of that type was thrown there; another source may have counted it. 0: not known where. */
void nt_exceptions_located(struct nt_exceptions *exceptions, const char *type, nt_site_ref stack);

/* A catch block was entered. */
void nt_exceptions_caught(struct nt_exceptions *exceptions);

/* Fill figures and rows (messages and stacks into the snapshot) and start the next interval. */
void nt_exceptions_close(struct nt_exceptions *exceptions, bool interval_known, bool total_known, struct nt_sites *sites,
			 struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_exceptions_each_text(const struct nt_exceptions *exceptions, nt_text_visit *visit, void *context);

#endif
