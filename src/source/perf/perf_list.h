/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A set of threads under one perf event with one ring per CPU: libperf's evlist, without its traps. What libperf does not do for us:
 *  - libperf_init() must have run, or the page size is 0;
 *  - its descriptors lack FD_CLOEXEC;
 *  - perf_evlist__poll() spins once a thread has exited: the rings are read on the caller's timer instead;
 *  - perf_mmap__read_done() would skip what was written since the last read: it is for overwriting rings only and not called;
 *  - a record that wraps is cut to sizeof(union perf_event), 4168 bytes: our build of libperf is mended (src/deps/libperf.patch); with one of the system
 *    longer records are counted as lost.
 */
#ifndef NT_SOURCE_PERF_LIST_H
#define NT_SOURCE_PERF_LIST_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct nt_perf_list;

/* Open the event for one thread (0: whatever runs there) on every CPU and close it again. Returns 0 or an errno value. */
int nt_perf_list_try(const struct perf_event_attr *attr, uint32_t tid);

/*
 * Open the event for every tid on every CPU, with rings of ring_bytes (a power of two, at least a page), counting. `tids` NULL: the events are the CPUs', whatever runs there. Returns
 * 0 or an errno value: ESRCH (one of the threads is gone), EMFILE, EPERM from the rings when they exceed what may be locked (*at_rings is set).
 */
int nt_perf_list_open(const struct perf_event_attr *attr, const pid_t *tids, size_t tid_count, size_t ring_bytes, bool *at_rings,
		      struct nt_perf_list **out);
void nt_perf_list_free(struct nt_perf_list *list); /* NULL is allowed */

/* Let its events count, or not. What they tell besides samples is not told meanwhile either. */
void nt_perf_list_enable(struct nt_perf_list *list, bool on);

/*
 * ioctl(2) on each event of the list, which was opened with read_format ID: libperf has its descriptors and no such call. False: one of them refused, or could not be
 * found.
 */
bool nt_perf_list_control(struct nt_perf_list *list, unsigned long request, unsigned long argument);

/*
 * Hand each record in the rings to `put`, ring by ring, oldest first; the bytes are borrowed for the call. A ring is left when put() returns false
 * (which has taken that record) or when it is empty. Returns how many records could not be read.
 */
uint64_t nt_perf_list_read(struct nt_perf_list *list, bool (*put)(void *context, const uint8_t *bytes, size_t length), void *context);

/* Do records of this size come whole? */
bool nt_perf_list_reads(size_t record_bytes);

/* What the kernel could not write into the rings since the list was opened, when it counts that (read_format LOST): else 0. */
uint64_t nt_perf_list_lost(struct nt_perf_list *list);

/* Sums over the list's events: the value and the time during which the event was counting. Only with the TOTAL_TIME read formats. */
void nt_perf_list_sums(struct nt_perf_list *list, uint64_t *value, uint64_t *running_ns);

/* Online CPUs: the number of rings, and of descriptors per thread. */
size_t nt_perf_list_cpu_count(void);

#endif
