/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last exceptions, one by one. While somebody looks each is told twice, by two streams: one counts, the other says where it was thrown and what became of it. The
 * runtime writes both at the same place, so on each thread they take turns and are microseconds apart; by that they are joined when the interval ends. One that finds
 * no counterpart gives its stack to nobody.
 */
#ifndef NT_MODEL_THROWN_H
#define NT_MODEL_THROWN_H

#include "base/texts.h"
#include "model/exceptions/flights.h"
#include "model/sites/sites.h"
#include "nettop/snapshot.h"

enum {
	NT_THROWN = 1000,        /* kept */
	NT_THROWN_MESSAGE = 240, /* bytes kept of a message */
};

/* What both tellings say of one. */
struct nt_throw {
	nt_time time;
	uint32_t tid;
	const char *type; /* the table's or NULL */
	uint64_t message_hash;
	nt_site_ref stack; /* 0 = not known */
	bool nested;
};

struct nt_thrown_item {
	struct nt_throw as;
	const char *thread; /* the table's; NULL = not known */
	bool named;         /* the thread's name was looked for */
	uint64_t told;      /* number of what was told beside; 0 = nothing */
	nt_site_ref caught_at;
	uint8_t fate;
	uint16_t message_length;
	char message[NT_THROWN_MESSAGE];
};

/* What is told beside. */
struct nt_thrown_told {
	uint64_t number;
	struct nt_throw as;
	uint64_t item; /* number of the item that it belongs to; 0 = it has found none yet */
	nt_site_ref caught_at;
	uint8_t fate;
	bool old; /* it found none when its interval ended */
};

/* It is known what became of one that was told beside, or it is something else than was thought. */
typedef void nt_fate_changes(void *context, const char *type, enum nt_exception_fate was, enum nt_exception_fate is);

struct nt_thrown {
	struct nt_thrown_item *items; /* owned ring: that with number n is at n % NT_THROWN; NULL = none was thrown */
	struct nt_thrown_told *told;  /* likewise */
	uint64_t made, told_made;     /* the newest numbers */
	uint64_t told_joined;         /* up to here all have found their item, or never will */
	struct nt_flights flights;
	bool follows;             /* somebody tells of catch blocks */
	nt_fate_changes *changes; /* borrowed, as its context */
	void *context;
};

void nt_thrown_init(struct nt_thrown *thrown, nt_fate_changes *changes, void *context);
void nt_thrown_fini(struct nt_thrown *thrown);

/* One that counts. message[0..length) is only read. `message_hash` is filled here, and in the next. */
void nt_thrown_add(struct nt_thrown *thrown, const struct nt_throw *as, const char *message, size_t length);

/* The same told beside, with its stack; then what becomes of it. All of one stream, in its order. */
void nt_thrown_told(struct nt_thrown *thrown, const struct nt_throw *as, const char *message, size_t length);
void nt_thrown_caught(struct nt_thrown *thrown, uint32_t tid, nt_site_ref at);

/*
 * The process has ended by this one. False: it is none that was told. It is by its thread (where `as` knows that), type and message, told so shortly before the end as a runtime takes to print it, and nothing else became of
 * it: so one that was caught while nobody told of that may be taken for it, where the same was thrown twice.
 */
bool nt_thrown_unhandled(struct nt_thrown *thrown, const struct nt_throw *as, const char *message, size_t length, struct nt_sites *sites);

/* Is it told now what becomes of them? What was under way when that changes is not known. */
void nt_thrown_follow(struct nt_thrown *thrown, bool follows);

/* Join what was told twice, and fill the rows, the newest first. The threads of `process` are filled. */
void nt_thrown_close(struct nt_thrown *thrown, struct nt_sites *sites, struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_thrown_each_text(const struct nt_thrown *thrown, nt_text_visit *visit, void *context);

#endif
