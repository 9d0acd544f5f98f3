/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Thread ids of the target's pid namespace to those of nettop's. In the same namespace they are equal; for a container the pairs are read from
 * /proc/PID/task/TID/status (NSpid) and kept.
 */
#ifndef NT_SOURCE_INNER_TIDS_H
#define NT_SOURCE_INNER_TIDS_H

#include "nettop/event.h"

#include <stdbool.h>
#include <stdint.h>

struct nt_inner_tids;

/* Inode of the pid namespace of the process of this folder ("/proc/PID", "/proc/self"); 0 = not known. */
uint64_t nt_inner_tids_namespace(const char *proc_dir);

/* proc_dir: "/proc/PID" of the target, copied. same_namespace: ids are equal, nothing is read. */
struct nt_inner_tids *nt_inner_tids_new(const char *proc_dir, bool same_namespace);
void nt_inner_tids_free(struct nt_inner_tids *tids); /* NULL is allowed */

/*
 * nettop's id of the thread that calls itself `vtid`. A thread that ended before it could be looked up gets NT_INNER_TID_UNKNOWN | vtid: no
 * thread has such an id (the kernel's limit is 2^22), and its events still pair with each other.
 */
uint32_t nt_inner_tids_outer(struct nt_inner_tids *tids, uint32_t vtid, nt_time now);
#define NT_INNER_TID_UNKNOWN UINT32_C(0x80000000)

/* Who else a built event names is numbered as the target does, too: the owner of a lock that is waited for. */
void nt_inner_tids_translate(struct nt_inner_tids *tids, struct nt_event *event);

#endif
