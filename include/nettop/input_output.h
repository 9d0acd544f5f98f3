/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process has open, what it reads and writes, and who waits in that: as events say it, and as rows show it. */
#ifndef NETTOP_INPUT_OUTPUT_H
#define NETTOP_INPUT_OUTPUT_H

#include "nettop/clock.h"
#include "nettop/code_event.h"
#include "nettop/known.h"

enum nt_io_kind {
	NT_IO_FILE,   /* whatever has a path */
	NT_IO_SOCKET, /* of any family; named by whom it is connected to, where that is known */
	NT_IO_PIPE,   /* without a name */
	NT_IO_OTHER,  /* what the kernel makes for a process: eventpoll, eventfd, inotify */
	NT_IO_KIND_COUNT
};

/* Calls of the system that input and output are made of. */
enum nt_io_call {
	NT_IO_OPEN,
	NT_IO_READ,  /* read() and its family, recv() and recvmsg() */
	NT_IO_WRITE, /* write() and its family, send(), sendmsg() and sendfile() */
	NT_IO_CONNECT,
	NT_IO_ACCEPT,
	NT_IO_SYNC, /* fsync() and fdatasync() */
	NT_IO_CALL_COUNT
};

/* Stable lower-case names for screens, JSON and documents. Never NULL; "?" for a value out of range. */
const char *nt_io_kind_name(enum nt_io_kind kind);

/* Likewise; as in struct nt_ev_calls. */
const char *nt_io_call_name(enum nt_io_call call);

/* /proc/PID/io: sums since the process began, of all its threads. And how many descriptors it has, without a look at them. */
struct nt_ev_io {
	uint64_t read_count, write_count;           /* calls of the families of read() and write(); recv() and send() are not among them */
	uint64_t read_bytes, write_bytes;           /* by these calls */
	uint64_t disk_read_bytes, disk_write_bytes; /* what storage was asked for because of them, and of pages */
	uint32_t known;                             /* 0: it cannot be read, */
	uint32_t refused;                           /* because the kernel does not let us */
	/* Descriptors: so many are open, so many may be (RLIMIT_NOFILE); whatever the others are, 0 = not known. */
	uint64_t descriptor_count, descriptor_limit;
};

enum nt_io_ways { NT_IO_READS = 1, NT_IO_WRITES = 2 };

/* Descriptors of one kind with one name, all together: a part of a look, which ends with DESCRIPTORS. */
struct nt_ev_descriptor {
	nt_str what;            /* path, whom a socket is connected to, or what the kernel calls it; 0 = it has no name */
	uint32_t kind;          /* enum nt_io_kind */
	uint32_t ways;          /* enum nt_io_ways bits of any of them */
	uint32_t open_count;    /* so many there are */
	uint32_t opened_count;  /* of them, those that the look before did not find */
	uint32_t blocked_count; /* threads that are blocked in a system call on one of them */
	uint32_t blocked_tid;   /* the one that has been so for longest; nettop's pid namespace; 0 = none */
	nt_time blocked_since;  /* it has not run since then */
};

/* The end of a look. */
struct nt_ev_descriptors {
	uint64_t hidden_count;   /* descriptors that were not looked at, beyond the limit */
	uint64_t threads_count;  /* threads that were asked what they are blocked in */
	nt_str reason;           /* why nothing was looked at; 0 = it was */
	uint32_t hidden_known;   /* 0: there are more, and nobody says how many */
	uint32_t threads_hidden; /* threads that were not asked: beyond the limit, or the kernel does not tell */
};

/*
 * How long calls take is counted in buckets: four for each power of two from NT_IO_LATENCY_FIRST ns up. The first has what is shorter, too, the last what is longer.
 */
enum { NT_IO_LATENCY_FIRST_BITS = 8, NT_IO_LATENCY_BUCKETS = 112, NT_IO_LATENCY_TOLD = 14 };

/*
 * Calls of one sort on one name since the kernel was asked before. Where their latencies lie in more than NT_IO_LATENCY_TOLD buckets after each other, further events tell of the others, with
 * these alone.
 */
struct nt_ev_calls {
	nt_str what;          /* as in struct nt_ev_descriptor */
	uint32_t kind;        /* enum nt_io_kind */
	uint32_t call;        /* enum nt_io_call */
	uint32_t error_count; /* failed */
	uint32_t
		again_count; /* likewise, but it is no error: nothing was there, no room was, the connection is under way, or a signal came */
	uint32_t first;      /* the bucket that `buckets` begin with */
	uint64_t count;      /* that came back */
	uint64_t bytes;      /* read or written by them */
	uint64_t ns;         /* between their begin and their end, all together */
	uint32_t buckets[NT_IO_LATENCY_TOLD];
};

/* What the CALLS before it are: all of the process from then up to the event's time. Or why there are none. */
struct nt_ev_calls_told {
	nt_time from;
	uint64_t unnamed_count; /* calls of which it is not known what they were on: among CALLS without a name */
	uint64_t lost_count;    /* calls that are in none of them */
	uint32_t told;          /* 0: no calls are counted */
	nt_str reason, fix;     /* why; 0 = nobody wants them */
};

/* One of the calls of CALLS was looked at when it came back, at the event's time; the event's stack is that of the thread that made it: 0 = it could not be seen. */
struct nt_ev_caller {
	nt_str what; /* as in struct nt_ev_calls, here and below */
	uint32_t kind;
	uint32_t call;
	uint32_t weight; /* it stands for so many calls: of those made often few are looked at, by chance */
};

/* Of what the process reads and writes; what it has open is as the last look found it. */
struct nt_io_figures {
	struct nt_u64 covered_ns;              /* between the readings that the figures are of */
	struct nt_u64 read_count, write_count; /* calls: as in struct nt_ev_io */
	struct nt_u64 read_bytes, write_bytes;
	struct nt_u64 disk_read_bytes, disk_write_bytes;
	struct nt_u64 descriptor_count, descriptor_limit; /* open, as the kernel counts them; RLIMIT_NOFILE */
	struct nt_u64 open_count;                         /* the same by a look at each of them */
	struct nt_u64 unseen_count;                       /* of them, those that were not looked at */
	struct nt_u64 blocked_count;                      /* threads that are blocked in a call on one */
	/* Calls, as the kernel has counted them by what they were on. */
	struct nt_u64 calls_covered_ns; /* for how long that was done */
	struct nt_u64 call_count, call_error_count, call_again_count, call_ns;
	struct nt_u64 call_unnamed_count;       /* of them, those of which it is not known what they were on */
	struct nt_u64 call_lost_count;          /* made, and not counted */
	struct nt_why why, open_why, calls_why; /* why the readings are not known; what is open; why calls are not counted now */
	struct nt_why calls_lack;               /* what the process does that is no call: it is known to be able to */
};

/* Calls on one name. */
struct nt_io_calls {
	uint64_t count[NT_IO_CALL_COUNT]; /* that came back */
	uint64_t read_bytes, written_bytes;
	uint64_t error_count, again_count; /* as in struct nt_ev_calls */
	uint64_t ns;                       /* how long they took, all together */
};

static inline uint64_t nt_io_calls_count(const struct nt_io_calls *calls)
{
	uint64_t count = 0;
	for (unsigned i = 0; i < NT_IO_CALL_COUNT; i++)
		count += calls->count[i];
	return count;
}

enum { NT_IO_CALLERS = 6 };

/* Code that makes calls on one name. */
struct nt_io_caller {
	const char *name;   /* the method: the first of the program's own that is managed, where there is none the first managed one */
	const char *module; /* NULL = not known */
	double pct;         /* of the calls that were looked at, each with its weight; never too high */
};

/* Descriptors with one name. */
struct nt_io_row {
	uint64_t id;
	const char *what; /* NULL = it has no name */
	enum nt_io_kind kind;
	unsigned ways;       /* enum nt_io_ways bits */
	uint64_t open_count; /* now */
	uint64_t opened_count,
		opened_all; /* seen to be new: in the interval, since the first look; what came and went between two looks is not among them */
	uint64_t blocked_count;              /* threads blocked in a call on it now */
	uint32_t blocked_tid;                /* which for longest; 0 = none */
	struct nt_u64 blocked_ns;            /* for so long at least; not known: nobody is blocked */
	struct nt_io_calls calls, calls_all; /* in the interval; since the row is there; as far as calls are counted */
	struct nt_u64 p50_ns, p99_ns;        /* of how long they took, since the row is there */
	uint64_t looked_count;               /* calls that were looked at, since the row is there; of these: */
	const struct nt_io_caller *callers;  /* from where most of them came, those first; NT_IO_CALLERS at most. In the snapshot */
	uint32_t caller_count;
	bool fresh; /* first interval of the row */
	bool ended; /* there are none any more */
};

#endif
