/* SPDX-License-Identifier: GPL-2.0-only */
/* What the programs of calls_program.h keep in their maps, for them and for whoever reads those. */
#ifndef NT_SOURCE_CALLS_MAPS_H
#define NT_SOURCE_CALLS_MAPS_H

#include "nettop/input_output.h"

#include <stdint.h>

enum {
	NT_CALLS_FDS = 1 << 16,     /* descriptors with larger numbers are not told apart */
	NT_CALLS_NAMES = 1 << 12,   /* at a time */
	NT_CALLS_SUMS = 1 << 12,    /* likewise */
	NT_CALLS_THREADS = 1 << 14, /* in a call at a time */
	NT_CALLS_CPUS = 1 << 10,    /* of more, two share a place */
	NT_CALLS_TEXT = 248,
	NT_CALLS_FRAMES = 63,
	NT_CALLS_RING_BYTES = 512 << 10, /* there is room in it for all looks of a turn */
};

/*
 * How often it is looked which code makes a call, in a turn, which goes from one reading to the next: of the calls of a sum one in 1 << base, by chance, after so many looks one in twice as many, and so on. Where that began in a
 * turn tells where it begins in the next: with each call of what is seldom called, and of the rest a dozen or two.
 */
enum {
	NT_CALLS_LOOKS = 512,
	NT_CALLS_LOOKS_OF_ONE = 256,
	NT_CALLS_LOOKS_STEP_BITS = 4,
	NT_CALLS_LOOKS_BASE_MOST = 15,
	NT_CALLS_LOOKS_FEW = 4
};

/* What the programs and nettop share. */
struct nt_calls_shared {
	uint64_t tgid;    /* of the process, as the kernel numbers it; 0 = it has made no call yet */
	uint64_t turn;    /* nettop's: another one after each reading */
	uint64_t emptied; /* how often descriptors were given back of which it is not known which */
	uint64_t apart[5];
	/* Written seldom: on a line of the cache of their own. */
	uint64_t names;   /* how many names were given away: the last one's number */
	uint64_t lost;    /* calls that were not counted */
	uint64_t no_room; /* of them, because too many threads have been in one */
	uint64_t looks;   /* in this turn, if only they had been allowed; nettop sets it back */
};

enum nt_calls_named { NT_CALLS_PATH = 1, NT_CALLS_ADDRESS, NT_CALLS_ACCEPTED };

/* Key of the map of names; the value is the name's number, a uint32_t. What follows the text is 0. */
struct nt_calls_name {
	uint32_t named; /* enum nt_calls_named */
	uint32_t unused;
	char text[NT_CALLS_TEXT]; /* a path, cut, with its NUL; a sockaddr; the struct nt_calls_fd and the number of a listener */
};

/* Of each descriptor. */
struct nt_calls_fd {
	uint32_t name;  /* its number; 0 = none */
	uint32_t given; /* how often it was given back so far */
};

/* Where the programs keep it. */
struct nt_calls_place {
	struct nt_calls_fd is;
	uint32_t
		emptied; /* as in struct nt_calls_shared, its lower half, when that was so; since it is another one, it may be another descriptor */
	uint32_t unused;
};

/* Key of the map of sums. */
struct nt_calls_key {
	uint32_t name;  /* 0: by what follows */
	int32_t fd;     /* -1: it is not known on what */
	uint32_t given; /* as in struct nt_calls_fd */
	uint32_t call;  /* enum nt_io_call */
};

struct nt_calls_sum {
	uint64_t count, bytes, errors, again, ns; /* as in struct nt_ev_calls */
	uint32_t buckets[NT_IO_LATENCY_BUCKETS];
	uint32_t turn, looked; /* calls that were looked at in that turn */
	uint32_t base, unused;
};

/* In the ring, with as much of the stack as there is: where a call came from. */
struct nt_calls_look {
	struct nt_calls_key key; /* what it counts for */
	uint64_t time;
	uint64_t weight;                 /* it stands for so many calls */
	uint64_t stack[NT_CALLS_FRAMES]; /* leaf first */
};

/* Of each CPU, on a line of its cache of its own: how many system calls of whatever sort the process has made there. */
struct nt_calls_seen {
	uint64_t count;
	uint64_t apart[7];
};

struct nt_calls_programs {
	int shared;             /* owned: the map of struct nt_calls_shared, a page that can be mapped; -1 = none, here and below */
	int fds;                /* owned: NT_CALLS_FDS struct nt_calls_place, can be mapped */
	int table;              /* owned: of each system call what it is here */
	int names, sums;        /* owned */
	int seen;               /* owned: NT_CALLS_CPUS struct nt_calls_seen, can be mapped */
	int threads, rooms;     /* owned */
	int ring;               /* owned: BPF_MAP_TYPE_RINGBUF of NT_CALLS_RING_BYTES, of struct nt_calls_look */
	int rules;              /* owned: as in struct nt_switch_programs */
	int enter, leave;       /* owned: the programs */
	int on_enter, on_leave; /* owned: what attaches them */
};

#endif
