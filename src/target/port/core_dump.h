/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A core dump that the runtime writes of itself: its program `createdump`, a child of the process, stops all threads, reads their memory and writes a file as the user of the process, by a path
 * that the process sees. So nettop has a folder made there that is that user's alone, has the file written in it, and takes it from there.
 *
 * It says what it does on the standard output of the process (.NET 10, whatever the flags): who asks for a dump is told that before.
 *
 * Whoever gives up takes the folder away: createdump goes on to its end, since nobody else may tell it to stop, and what it has written is gone then.
 */
#ifndef NT_TARGET_CORE_DUMP_H
#define NT_TARGET_CORE_DUMP_H

#include "decode/eventpipe/ipc.h"
#include "nettop/clock.h"
#include "target/common/deed.h"
#include "target/process/target.h"

/* Where it is written. */
struct nt_dump_room {
	int outer;           /* the folder in which ours is; owned, -1 = none */
	char *folder;        /* the same as the process sees it; owned */
	struct nt_deed deed; /* by which it is taken away */
};

/*
 * Reasons why a dump cannot be, before anything is done: no createdump beside the runtime, somebody else traces the process, the kernel lets nobody do that. NT_OK: none is known.
 */
enum nt_status nt_core_dump_check(const struct nt_target *target, struct nt_error *err);

/* How many bytes it will have, about; 0 = not known. By what is resident now. */
uint64_t nt_core_dump_bytes(const struct nt_target *target, enum nt_ipc_dump type, bool report_only);

/*
 * Open `folder`, as the process sees it, to have room made in it. Nothing is made yet; room->deed is what takes it away, for who must know that before. ABSENT, FORBIDDEN. On success it is to be given
 * to nt_dump_room_fini().
 */
enum nt_status nt_dump_room_find(const struct nt_target *target, const char *folder, struct nt_dump_room *room, struct nt_error *err);

/* Make it. FORBIDDEN or FAILED: nothing was made. */
enum nt_status nt_dump_room_make(const struct nt_dump_room *room, struct nt_error *err);

/*
 * Before it is taken away by `deed`, which does that: a createdump that has not opened its file yet would find no folder, and say so on the standard output of the process. Waits until there is none, at most for so long.
 */
void nt_dump_room_wait(const struct nt_deed *deed, nt_time patience_ns);

/* Take it away, with what is in it, after such a wait. Of one that was not made nothing happens. */
void nt_dump_room_clear(const struct nt_dump_room *room);
void nt_dump_room_fini(struct nt_dump_room *room);

/* The request for a dump into a room; returns its length. */
size_t nt_core_dump_request(const struct nt_dump_room *room, enum nt_ipc_dump type, bool report_only, uint8_t request[NT_IPC_REQUEST_MAX]);

/* The file in the room: to be read, the caller closes it. -1: it is not there (yet), or not what the process's user has written. */
int nt_dump_room_open(const struct nt_dump_room *room, bool report_only);

/* Our folder (O_PATH), the caller's; -1: it is not there. And the name of the file in it, static. */
int nt_dump_room_folder(const struct nt_dump_room *room);
const char *nt_dump_room_name(bool report_only);

#endif
