/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What becomes of exceptions, thread by thread, from the runtime's events in their order: thrown, catch block entered, catch block at its end, filter asked and answered.
 * An exception is on its way until a catch block is entered for it, and then in that block until it ends. One that is thrown meanwhile lies above it.
 *
 * The events do not say which exception they are about. What they leave open is not known: a catch that may be of one in a filter or of the one before it (a runtime
 * before .NET 9 does not say that a filter threw), or of one in a catch block that may be over.
 */
#ifndef NT_MODEL_FLIGHTS_H
#define NT_MODEL_FLIGHTS_H

#include "base/index.h"
#include "nettop/event.h"
#include "nettop/exception_row.h"

enum {
	NT_FLIGHT_THREADS = 1024, /* with an exception at a time; beyond, what was under way is not known */
	NT_FLIGHT_DEPTH = 16,     /* within each other on a thread; likewise */
};

struct nt_flight {
	uint64_t number;
	uint8_t state;
};

struct nt_flight_thread {
	uint32_t tid;
	uint32_t count;
	struct nt_flight at[NT_FLIGHT_DEPTH]; /* the innermost last */
};

/* It is known what became of the exception `number`. */
typedef void nt_flight_ends(void *context, uint64_t number, enum nt_exception_fate fate);

/* All zero is an empty one, without an owner. */
struct nt_flights {
	struct nt_flight_thread *items; /* owned; in no order */
	size_t count, capacity;
	struct nt_index by_tid;
	nt_flight_ends *ends; /* borrowed; both must be set before anything is told */
	void *context;        /* borrowed */
};

void nt_flights_fini(struct nt_flights *flights);

/* Exception `number`, above 0, was thrown. `nested`: the runtime says that another is on its way or being handled there; if not, none is. */
void nt_flights_thrown(struct nt_flights *flights, uint32_t tid, uint64_t number, bool nested);

/* A catch block was entered; returns for which exception, 0 = not known, and tells its end. */
uint64_t nt_flights_caught(struct nt_flights *flights, uint32_t tid);

void nt_flights_step(struct nt_flights *flights, uint32_t tid, enum nt_exception_step step);

/* What happens next is not the next that is told: nothing is known any more of what is under way. */
void nt_flights_forget(struct nt_flights *flights);

#endif
