/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The last minutes of what enters a model, kept in memory as the frames of a recording: to be written down when something has happened. What is older goes, but for what still holds of it (lasting.h), so that what is
 * written has all names, and is all that is needed. One thread.
 */
#ifndef NT_RECORD_FLIGHT_H
#define NT_RECORD_FLIGHT_H

#include "record/recorder.h"

/* Of all that is kept: the least that has room for a quarter of an hour of most programs. A flood fills it sooner: then less than what was asked for is kept, nt_flight_reach() says how much. */
enum { NT_FLIGHT_BYTES = 22 << 20 };

struct nt_flight;

/* reach_ns: so much is kept, if there is room; 0 = only what holds, for a recording from some moment on. limit_bytes: of the memory for it. */
struct nt_flight *nt_flight_new(nt_time reach_ns, size_t limit_bytes);
void nt_flight_free(struct nt_flight *flight); /* NULL is allowed */

/* As those of a recorder, and in the same order. A second model has other inputs: what was kept of the first is forgotten. */
void nt_flight_settings(struct nt_flight *flight, const struct nt_model_config *config, int64_t realtime_offset_ns);
void nt_flight_batch(struct nt_flight *flight, const struct nt_batch *batch);
void nt_flight_tick(struct nt_flight *flight, const struct nt_tick *tick);

/* The newest tick, so far back from which goes what is kept; and the memory that it takes. */
nt_time nt_flight_now(const struct nt_flight *flight);
bool nt_flight_has_ended(const struct nt_flight *flight); /* that tick was the last one of all */
nt_time nt_flight_reach(const struct nt_flight *flight);
size_t nt_flight_bytes(const struct nt_flight *flight);

/* Give it to a recorder that has nothing yet: settings of a model that begins where this does, what holds there, and what is kept. What comes from now on can follow. */
void nt_flight_put(struct nt_flight *flight, struct nt_recorder *recorder);

#endif
