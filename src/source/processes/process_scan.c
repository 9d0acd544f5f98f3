// SPDX-License-Identifier: GPL-2.0-only
#include "source/processes/process_scan.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/text.h"
#include "decode/kernel/host_text.h"
#include "decode/kernel/procfs_text.h"
#include "source/decoder/executable_readers.h"
#include "source/lttng/lttng_trial.h"
#include "source/processes/process_examined.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	STAT_BYTES = 1024,
	CGROUP_BYTES = 64 << 10,
	HOST_BYTES = 1 << 20, /* /proc/stat of a machine with thousands of CPUs */
	LOST_MOST = 64,       /* chosen by pid, ended, and nobody is there in their place */
	ANCESTORS_MOST = 64
};

#define EXAMINE_NS  NT_NS_PER_S        /* as long as one process may keep the list waiting */
#define YOUNG_NS    (10 * NT_NS_PER_S) /* so long a program may take to become what it will be */
#define LISTED_NS   (10 * NT_NS_PER_S) /* between two examinations of a .NET process: is its perf map there by now? */
#define UNLISTED_NS (30 * NT_NS_PER_S) /* of any other: a program may load a runtime late */

/* A process, .NET or not, from one look to the next. */
struct record {
	struct nt_procfs_stat stat;           /* of the last look */
	nt_time examined_at;                  /* 0 = never */
	nt_time young_until;                  /* it may still become a .NET process, or one with more to see */
	bool hangs;                           /* its files did not answer: it is not examined again */
	struct nt_process_examined *examined; /* owned; NULL: it is no .NET process, as far as is known */
	uint64_t look;                        /* number of the look that saw it last */
	bool is_successor;                    /* it began in the place of one that was chosen */
};

/* What one that has ended was, by which its successor is known. */
struct lost {
	char *command; /* owned */
	uid_t uid;
	uint64_t look; /* when it was missed */
};

struct nt_process_scan {
	char *proc_root; /* owned */
	bool is_real;    /* proc_root is the kernel's */
	unsigned perf_hz;
	struct nt_process_choice choice;
	bool is_of_some; /* somebody has chosen */
	struct lost lost[LOST_MOST];
	size_t lost_count;
	nt_time began; /* a pid means who had it then */
	struct nt_facts machine;
	struct nt_hand *hand;
	struct record *records; /* owned */
	size_t count, capacity;
	struct nt_index by_pid; /* into records */
	uint64_t look;
	struct nt_process_row *rows; /* owned */
	size_t row_count, row_capacity;
};

struct nt_process_scan *nt_process_scan_new(const char *proc_root, unsigned perf_hz, bool readonly, const struct nt_process_choice *choice)
{
	struct nt_process_scan *scan = nt_alloc(sizeof(*scan));
	scan->proc_root = nt_strdup(proc_root);
	scan->is_real = strcmp(proc_root, "/proc") == 0;
	scan->perf_hz = perf_hz;
	scan->is_of_some = choice;
	scan->choice = choice ? *choice : (struct nt_process_choice){ 0 };
	scan->began = nt_clock_now();
	scan->hand = nt_hand_new();
	nt_facts_read_machine(&scan->machine, "");
	nt_facts_try_lttng(&scan->machine);
	scan->machine.readonly = readonly;
	return scan;
}

void nt_process_scan_free(struct nt_process_scan *scan)
{
	if (!scan)
		return;
	for (size_t i = 0; i < scan->count; i++)
		nt_process_examined_free(scan->records[i].examined);
	for (size_t i = 0; i < scan->lost_count; i++)
		free(scan->lost[i].command);
	free(scan->records);
	nt_index_fini(&scan->by_pid);
	nt_hand_free(scan->hand);
	free(scan->rows);
	free(scan->proc_root);
	free(scan);
}

void nt_process_scan_cancel(struct nt_process_scan *scan)
{
	nt_hand_cancel(scan->hand);
}

/* ---- examining ---- */

static bool is_due(const struct nt_process_scan *scan, const struct record *record, nt_time now)
{
	if (record->hangs)
		return false;
	/* Of a list that is watched nothing is shown that would be another one later. */
	if (scan->is_of_some && record->examined && nt_target_has_runtime(nt_process_examined_target(record->examined)))
		return false;
	if (!record->examined_at || now < record->young_until)
		return true;
	return now - record->examined_at >= (record->examined ? LISTED_NS : UNLISTED_NS);
}

static enum nt_status examine(struct nt_process_scan *scan, struct record *record, nt_time now)
{
	struct nt_process_examination *examination =
		nt_process_examination_new(scan->proc_root, record->stat.pid, scan->perf_hz, &scan->machine);
	enum nt_status status = nt_hand_do(scan->hand, &examination->errand, EXAMINE_NS);
	record->examined_at = now;
	record->hangs = status == NT_ERR_TIMEOUT;
	if (status != NT_OK)
		return status == NT_END ? NT_END : NT_OK;
	nt_process_examined_free(record->examined);
	record->examined = examination->done;
	examination->done = NULL;
	examination->errand.release(&examination->errand);
	return NT_OK;
}

/* ---- records ---- */

/* A program that executes another one keeps pid and start. */
static bool is_same(const struct nt_procfs_stat *a, const struct nt_procfs_stat *b)
{
	return a->start_ticks == b->start_ticks && strcmp(a->comm, b->comm) == 0;
}

/* Ticks since boot as a time of ours; 0 = long ago. */
static nt_time start_of(const struct nt_procfs_stat *stat, nt_time now)
{
	struct timespec boot;
	clock_gettime(CLOCK_BOOTTIME, &boot);
	nt_time since_boot = (nt_time)boot.tv_sec * NT_NS_PER_S + (nt_time)boot.tv_nsec;
	nt_time start = stat->start_ticks * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
	nt_time age = since_boot > start ? since_boot - start : 0;
	return now > age ? now - age : 0;
}

static struct record *record_of(struct nt_process_scan *scan, const struct nt_procfs_stat *stat, nt_time now)
{
	uint32_t at = nt_index_get(&scan->by_pid, stat->pid);
	if (at == NT_INDEX_NONE) {
		at = (uint32_t)scan->count++;
		scan->records = nt_grow(scan->records, &scan->capacity, scan->count, sizeof(*scan->records));
		scan->records[at] = (struct record){ .young_until = start_of(stat, now) + YOUNG_NS };
		nt_index_put(&scan->by_pid, stat->pid, at);
	} else if (!is_same(&scan->records[at].stat, stat)) {
		const struct record *before = &scan->records[at];
		bool stays = before->is_successor && before->stat.start_ticks == stat->start_ticks;
		nt_process_examined_free(before->examined);
		scan->records[at] = (struct record){ .young_until = now + YOUNG_NS, .is_successor = stays };
	}
	scan->records[at].stat = *stat;
	scan->records[at].look = scan->look;
	return &scan->records[at];
}

/* ---- who is chosen ---- */

/* Of several that are alike the one that ended last; its successor is known by what it was, too, when it ends. */
static bool succeeds(struct nt_process_scan *scan, const struct record *record)
{
	const struct nt_target *target = nt_process_examined_target(record->examined);
	for (size_t i = scan->lost_count; i-- > 0;) {
		if (scan->lost[i].uid != target->uid || strcmp(scan->lost[i].command, target->command) != 0)
			continue;
		free(scan->lost[i].command);
		scan->lost[i] = scan->lost[--scan->lost_count];
		return true;
	}
	return false;
}

static bool is_named(const struct nt_process_scan *scan, const struct record *record, nt_time now)
{
	const struct nt_target *target = record->examined ? nt_process_examined_target(record->examined) : NULL;
	if (nt_process_choice_has_pid(&scan->choice, record->stat.pid) && start_of(&record->stat, now) <= scan->began)
		return true;
	return record->is_successor || nt_process_choice_has_name(&scan->choice, record->stat.comm, target ? target->name : NULL);
}

/* Is it, or what started it? */
static bool is_of_family(const struct nt_process_scan *scan, const struct record *record, nt_time now)
{
	for (int i = 0; i < ANCESTORS_MOST; i++) {
		if (is_named(scan, record, now))
			return true;
		uint32_t at = scan->choice.children ? nt_index_get(&scan->by_pid, record->stat.ppid) : NT_INDEX_NONE;
		if (at == NT_INDEX_NONE)
			return false;
		record = &scan->records[at];
	}
	return false;
}

static bool is_in_group(const struct nt_process_scan *scan, const struct record *record)
{
	char *path = nt_format("%s/%u/cgroup", scan->proc_root, record->stat.pid), *text;
	size_t length;
	bool known = nt_file_read(AT_FDCWD, path, CGROUP_BYTES, &text, &length) == 0;
	bool is_in = known && nt_process_choice_has_cgroup(&scan->choice, text);
	free(text);
	free(path);
	return is_in;
}

static bool is_chosen(struct nt_process_scan *scan, struct record *record, nt_time now)
{
	if (!record->examined || (scan->choice.cgroup && !is_in_group(scan, record)))
		return false;
	if (!scan->choice.named || is_of_family(scan, record, now))
		return true;
	record->is_successor = scan->lost_count && start_of(&record->stat, now) > scan->began && succeeds(scan, record);
	return record->is_successor;
}

/* It need not be looked at: it is none of the pids, has nobody's place to take or taken, and nobody's child counts. */
static bool is_out_of_question(const struct nt_process_scan *scan, uint32_t pid)
{
	if (!nt_process_choice_is_of_pids(&scan->choice) || scan->choice.children || scan->lost_count ||
	    nt_process_choice_has_pid(&scan->choice, pid))
		return false;
	uint32_t at = nt_index_get(&scan->by_pid, pid);
	return at == NT_INDEX_NONE || !scan->records[at].is_successor;
}

/* Whoever begins as it did takes its place. */
static void note_lost(struct nt_process_scan *scan, const struct record *record, nt_time now)
{
	if (!record->examined || !scan->choice.named || scan->lost_count == LOST_MOST || !is_named(scan, record, now))
		return;
	const struct nt_target *target = nt_process_examined_target(record->examined);
	if (nt_process_choice_has_name(&scan->choice, record->stat.comm, target->name))
		return;
	scan->lost[scan->lost_count++] = (struct lost){ nt_strdup(target->command), target->uid, scan->look };
}

static void forget_the_gone(struct nt_process_scan *scan, nt_time now)
{
	for (size_t i = 0; i < scan->count;) {
		struct record *record = &scan->records[i];
		if (record->look == scan->look) {
			i++;
			continue;
		}
		note_lost(scan, record, now);
		nt_process_examined_free(record->examined);
		nt_index_remove(&scan->by_pid, record->stat.pid);
		*record = scan->records[--scan->count];
		if (i < scan->count)
			nt_index_put(&scan->by_pid, record->stat.pid, (uint32_t)i);
	}
}

/* ---- rows ---- */

/* Exact by the process's CPU clock; /proc counts in ticks. */
static uint64_t cpu_ns(const struct nt_process_scan *scan, const struct nt_procfs_stat *stat)
{
	clockid_t clock;
	struct timespec ts;
	if (scan->is_real && clock_getcpuclockid((pid_t)stat->pid, &clock) == 0 && clock_gettime(clock, &ts) == 0)
		return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
	return (stat->user_ticks + stat->kernel_ticks) * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
}

static void add_row(struct nt_process_scan *scan, const struct record *record, nt_time now)
{
	const struct nt_procfs_stat *stat = &record->stat;
	struct nt_process_row row = {
		.id = nt_hash_mix(nt_hash_mix(stat->start_ticks) ^ stat->pid),
		.pid = stat->pid,
		.start_ticks = stat->start_ticks,
		.cpu_ns = nt_u64_of(cpu_ns(scan, stat)),
		.rss_bytes = nt_u64_of(stat->rss_pages * (uint64_t)sysconf(_SC_PAGESIZE)),
		.thread_count = nt_u64_of(stat->thread_count),
		.ended_at = NT_TIME_UNKNOWN,
	};
	nt_process_examined_fill(record->examined, now, &row);
	scan->rows = nt_grow(scan->rows, &scan->row_capacity, scan->row_count + 1, sizeof(*scan->rows));
	scan->rows[scan->row_count++] = row;
}

/* ---- a look ---- */

static bool read_stat(int proc_fd, const char *pid_text, struct nt_procfs_stat *stat)
{
	char path[sizeof(((struct dirent *)NULL)->d_name) + sizeof("/stat")], *text;
	size_t length;
	stpcpy(stpcpy(path, pid_text), "/stat");
	bool valid = nt_file_read(proc_fd, path, STAT_BYTES, &text, &length) == 0 && nt_procfs_stat_parse(text, length, stat);
	free(text);
	/* A leader that left while its threads go on is a Z, too, but with threads. */
	return valid && stat->state != 'X' && (stat->state != 'Z' || stat->thread_count > 1);
}

static enum nt_status look_at(struct nt_process_scan *scan, int proc_fd, const char *name, nt_time now)
{
	struct nt_procfs_stat stat;
	uint32_t pid;
	if (!nt_target_parse_pid(name, &pid) || is_out_of_question(scan, pid) || !read_stat(proc_fd, name, &stat) || stat.pid != pid)
		return NT_OK;
	struct record *record = record_of(scan, &stat, now);
	return is_due(scan, record, now) ? examine(scan, record, now) : NT_OK;
}

static void read_machine(int proc_fd, struct nt_process_scan_result *out)
{
	uint64_t tick_ns = NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	char *text;
	size_t length;
	struct nt_host_cpus cpus;
	struct timespec now;
	out->busy_ns = out->all_ns = (struct nt_u64){ 0 };
	if (nt_file_read(proc_fd, "stat", HOST_BYTES, &text, &length) == 0 && nt_host_cpus_parse(text, length, &cpus)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		out->busy_ns = nt_u64_of(cpus.busy_ticks * tick_ns);
		uint64_t passed_ns = cpus.count * ((uint64_t)now.tv_sec * NT_NS_PER_S + (uint64_t)now.tv_nsec);
		out->all_ns = nt_u64_of(passed_ns - cpus.steal_ticks * tick_ns);
	}
	free(text);
}

enum nt_status nt_process_scan_look(struct nt_process_scan *scan, struct nt_process_scan_result *out, struct nt_error *err)
{
	DIR *dir = opendir(scan->proc_root);
	if (!dir)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot list %s", scan->proc_root);
	enum nt_status status = NT_OK;
	scan->look++;
	nt_executable_readers_begin();
	for (struct dirent *entry; status == NT_OK && (entry = readdir(dir));)
		status = look_at(scan, dirfd(dir), entry->d_name, nt_clock_now());
	nt_executable_readers_end();
	/* One moment for all: shares of CPU are between two of them. */
	out->at = nt_clock_now();
	read_machine(dirfd(dir), out);
	closedir(dir);
	if (status != NT_OK)
		return status;
	forget_the_gone(scan, out->at);
	scan->row_count = 0;
	for (size_t i = 0; i < scan->count; i++)
		if (is_chosen(scan, &scan->records[i], out->at))
			add_row(scan, &scan->records[i], out->at);
	out->rows = scan->rows;
	out->count = scan->row_count;
	return NT_OK;
}
