/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Databases that the program asks, and its pools of connections to them: what those clients tell that follow the conventions of OpenTelemetry, each those of its time (Npgsql,
 * MySqlConnector). Pools are bounded: of more than NT_DATABASE_POOLS nothing is known.
 */
#ifndef NT_MODEL_DATABASES_H
#define NT_MODEL_DATABASES_H

#include "base/texts.h"
#include "nettop/event.h"
#include "nettop/snapshot.h"
#include "symbol/names.h"

enum { NT_DATABASE_POOLS = 64 };

enum nt_database_state { NT_DATABASE_USED, NT_DATABASE_IDLE, NT_DATABASE_MAX, NT_DATABASE_WAITING, NT_DATABASE_STATES };

struct nt_database_pool {
	uint64_t id;
	const char *name; /* the table's; NULL = not told */
	struct {
		double value;
		nt_time fresh_until; /* it is told once in a period; 0 = never yet */
	} of[NT_DATABASE_STATES];
};

struct nt_databases {
	struct nt_database_pool pools[NT_DATABASE_POOLS];
	size_t pool_count;
	bool asks;                       /* a client that tells is mapped, as only precompiled ones are, or has told */
	bool failures_told;              /* by a counter of their own: then those that durations tell are among them */
	uint64_t failed_now, failed_all; /* by that: in the open interval, since attach */
};

/* A file that has been mapped: is it such a client? */
void nt_databases_mapped(struct nt_databases *databases, const char *path, size_t length);

/* Is this the Meter of one? */
bool nt_database_is_meter(const char *name, size_t length);

/* The histogram of how long operations take? Pure. */
bool nt_database_is_duration(const char *instrument);

/* `shop at db:5432`, of what the tags say or of the connection string in them; as it stands, cut, where it is none. NULL = not told. A text of the table's. */
const char *nt_database_name(const char *tags, size_t tags_length, struct nt_texts *texts);

/* A COUNTER event of one, of whatever instrument. `fresh_until`: when it is to be told again. */
void nt_databases_apply(struct nt_databases *databases, const struct nt_event *event, nt_time fresh_until, const char *instrument,
			const char *tags, size_t tags_length, struct nt_texts *texts);

/* Fill what failed, and of the interval the pool that is fullest, as of `now`; its name is the snapshot's. Then the next interval begins. */
void nt_databases_close(struct nt_databases *databases, nt_time now, struct nt_snapshot *snapshot, struct nt_request_figures *interval,
			struct nt_request_figures *total);

/* Visit the texts that are kept. */
void nt_databases_each_text(const struct nt_databases *databases, nt_text_visit *visit, void *context);

#endif
