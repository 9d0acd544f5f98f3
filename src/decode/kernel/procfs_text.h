/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The texts of /proc/PID: stat, status, maps, environ. Pure functions on bytes that somebody else read; formats as in proc(5).
 * A name in them is chosen by the target: any byte may be in it.
 */
#ifndef NT_DECODE_PROCFS_TEXT_H
#define NT_DECODE_PROCFS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* /proc/PID/stat or /proc/PID/task/TID/stat. */
struct nt_procfs_stat {
	uint32_t pid; /* or tid */
	uint32_t ppid;
	char comm[64]; /* NUL-terminated; parentheses, spaces, newlines and invalid UTF-8 are possible */
	size_t comm_length;
	char state;                        /* R S D T t Z X I ... */
	uint64_t user_ticks, kernel_ticks; /* utime, stime; of sysconf(_SC_CLK_TCK) */
	uint32_t thread_count;
	uint64_t start_ticks; /* field 22: since boot. With the pid, the identity of a process */
	uint64_t rss_pages;
};

/* False: the text is not a stat line. */
bool nt_procfs_stat_parse(const char *text, size_t length, struct nt_procfs_stat *out);

/* /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst): times that never fall. */
struct nt_procfs_schedstat {
	uint64_t cpu_ns;    /* on a CPU */
	uint64_t waited_ns; /* ready to run, without one */
	uint64_t count;     /* how often it was given one; 0 = not yet, or this kernel does not tell */
};

/* False: the text is not of the format. */
bool nt_procfs_schedstat_parse(const char *text, size_t length, struct nt_procfs_schedstat *out);

enum { NT_PROCFS_NSPID_MAX = 32 /* the kernel's limit of nested pid namespaces */ };

/* /proc/PID/status. A line that is missing leaves its field 0. */
struct nt_procfs_status {
	uint32_t ns_pid[NT_PROCFS_NSPID_MAX]; /* outermost (the reader's /proc) first */
	unsigned ns_pid_count;                /* 0 = kernel without NSpid */
	uint32_t uid, gid;                    /* effective */
	bool uid_known, gid_known;
	unsigned cpu_count; /* bits of Cpus_allowed; 0 = not said */
};

void nt_procfs_status_parse(const char *text, size_t length, struct nt_procfs_status *out);

/* What of a process is resident, by /proc/PID/status; bytes. */
struct nt_procfs_memory {
	uint64_t anon_bytes, file_bytes, shared_bytes; /* RssAnon, RssFile, RssShmem: together all of it */
	uint64_t swap_bytes;                           /* VmSwap: anonymous memory that is swapped out, and not resident */
};

/* False: one of these lines is missing, as before Linux 4.5 and of a process that ends, or is no size. */
bool nt_procfs_memory_parse(const char *text, size_t length, struct nt_procfs_memory *out);

/* One line of /proc/PID/maps. */
struct nt_procfs_map {
	uint64_t start, end; /* start < end */
	uint64_t offset;     /* into the file, bytes */
	uint64_t inode;      /* 0 = no file */
	uint32_t dev_major, dev_minor;
	bool read, write, exec, shared;
	const char *path; /* borrowed, not NUL-terminated; without " (deleted)"; "[vdso]", "" and "/memfd:doublemapper" are possible */
	size_t path_length;
	bool deleted;
};

/*
 * Read the first line of text[0..length). Returns the bytes up to and with its newline, 0 when no complete line is there. *valid tells whether
 * the line was one of the format; `out` is set only then.
 */
size_t nt_procfs_map_next(const char *text, size_t length, struct nt_procfs_map *out, bool *valid);

/*
 * The value of NAME in the NUL-separated text of /proc/PID/environ: borrowed, not NUL-terminated. NULL when it is not set; the first
 * entry wins, as for getenv().
 */
const char *nt_procfs_environ_get(const char *text, size_t length, const char *name, size_t *value_length);

#endif
