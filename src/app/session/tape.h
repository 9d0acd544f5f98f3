/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is written down of a session: all that enters its model is recorded from some moment on, or its last minutes are kept in memory, to be written when somebody asks for it, or both. A file is written on a thread of its
 * own: what becomes of it is told when it is known.
 */
#ifndef NT_APP_TAPE_H
#define NT_APP_TAPE_H

#include "record/flight.h"

/* Files with a name of nettop's own choice, of one session. */
enum { NT_TAPE_FILES_MAX = 10, NT_TAPE_SAID = 2 * NT_ERROR_TEXT };

typedef void nt_tape_say(void *context, const char *sentence);

struct nt_tape {
	uint32_t pid;                 /* for names */
	nt_time reach_ns;             /* so much is kept; 0 = nothing but what a recording from now on needs */
	struct nt_flight *flight;     /* owned; NULL = nothing is kept */
	struct nt_recorder *recorder; /* owned: what comes is recorded; NULL = it is not */
	struct nt_recorder *ending;   /* owned: it is being written to its end */
	char *path, *ending_path;     /* owned: theirs */
	bool told_problem;            /* the recorder's */
	unsigned file_count;
};

/* Of a process; the last minutes are kept if there is a reach. */
void nt_tape_init(struct nt_tape *tape, uint32_t pid, nt_time reach_ns);

/* Before the session begins: keep what a recording from some moment on needs, too. */
void nt_tape_keep(struct nt_tape *tape);

/* Nothing is waited for but what is being written. */
void nt_tape_fini(struct nt_tape *tape);

/* As those of a recorder, from whoever feeds the model. */
void nt_tape_settings(struct nt_tape *tape, const struct nt_model_config *config, int64_t realtime_offset_ns);
void nt_tape_batch(struct nt_tape *tape, const struct nt_batch *batch);
void nt_tape_tick(struct nt_tape *tape, const struct nt_tick *tick);

/* Is all recorded that comes? */
bool nt_tape_records(const struct nt_tape *tape);

/* Record all from now on, in a new file; with what is kept before it. Errors: those of nt_recorder_open(), and NT_ERR_USAGE when that is done already. */
enum nt_status nt_tape_record(struct nt_tape *tape, const char *path, uint64_t limit_bytes, struct nt_error *err);

/* No more of it. False: another file is still being written, and it goes on; or nothing is recorded. */
bool nt_tape_stop(struct nt_tape *tape);

/* Write what is kept, in a new file. Errors: those of nt_recorder_open(), and NT_ERR_USAGE when nothing is kept or a file is still being written. */
enum nt_status nt_tape_write(struct nt_tape *tape, const char *path, struct nt_error *err);

/* The same with a name of nettop's own, here: nettop-4711-20261129-231502-1.nettop. What came of it is in `said`: the name, or why not. */
void nt_tape_write_somewhere(struct nt_tape *tape, char said[NT_TAPE_SAID]);

/* The session is over: end what is recorded, and tell. */
void nt_tape_end(struct nt_tape *tape, nt_tape_say *say, void *context);

/* Tell what has become of files since it was asked last. `wait`: and wait for it. */
void nt_tape_tell(struct nt_tape *tape, bool wait, nt_tape_say *say, void *context);

#endif
