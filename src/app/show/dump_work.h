/* SPDX-License-Identifier: GPL-2.0-only */
/* A core dump, or a crash report, that the runtime writes of itself: where, whether it may be, at what price; how far it is; and the file in the hands of who asked. For `nettop dump` and key D. */
#ifndef NT_APP_DUMP_WORK_H
#define NT_APP_DUMP_WORK_H

#include "app/keeper/keeper.h"
#include "nettop/dump_kind.h"
#include "target/port/core_dump.h"
#include "target/port/diagnostics.h"

enum { NT_DUMP_PRICE_BYTES = 512 };

/* What is wanted. Borrowed. */
struct nt_dump_wish {
	const struct nt_target *target;
	struct nt_keeper *keeper;
	enum nt_dump_kind kind;
	const char *path; /* of the file; NULL = NAME.PID.core here */
	const char *
		folder; /* in which the runtime writes first, as the process sees it; NULL = where the file is to be, or its temporary folder */
	bool another; /* where the file of that name is there already another name will do; else that is an error */
};

struct nt_dump_work {
	struct nt_dump_wish wish;
	char *path;     /* of the file, owned; NULL = there is no work */
	uint64_t bytes; /* that it will have, about */
	struct nt_dump_room room;
	struct nt_ipc_exchange *exchange; /* owned; NULL = nothing is asked */
};

/*
 * All that comes before it is asked: is it possible, is there room? `price` is then a sentence for who is asked. A folder of the process's user is made for it, which nt_dump_work_end() takes away; so that is due in any case, and
 * the keeper does it for a nettop that is dead.
 */
enum nt_status nt_dump_work_prepare(struct nt_dump_work *work, const struct nt_dump_wish *wish, char price[NT_DUMP_PRICE_BYTES],
				    struct nt_error *err);

/* Ask the runtime. All threads of the process stand still from now on. */
enum nt_status nt_dump_work_begin(struct nt_dump_work *work, struct nt_error *err);
static inline bool nt_dump_work_goes_on(const struct nt_dump_work *work)
{
	return work->exchange != NULL;
}
int nt_dump_work_fd(const struct nt_dump_work *work); /* becomes readable when the runtime answers */

/* NT_AGAIN: it is not written yet. NT_OK: it is, and the file is at work->path. An error: there is none. After these two nt_dump_work_end() is due. */
enum nt_status nt_dump_work_advance(struct nt_dump_work *work, struct nt_error *err);

/* "213MB written, of about 220MB; the process stands still". Returns text. */
const char *nt_dump_work_progress(const struct nt_dump_work *work, char text[NT_DUMP_PRICE_BYTES]);

/* Give up what is not over, and take away what was made for it. createdump goes on to its end, and what it writes is gone then: waits for that, for some seconds at most. Harmless when there is no work. */
void nt_dump_work_end(struct nt_dump_work *work);

#endif
