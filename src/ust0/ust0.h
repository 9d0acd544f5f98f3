// SPDX-License-Identifier: MIT
/* Room ust0: the bridge: libraries for the target; no part of nettop. */
/*
 * The 0-ABI: what programs that ask for liblttng-ust.so.0 (lttng-ust 2.0 to 2.12) hand over and expect.
 *
 * Such a program has call sites (struct ust0_tracepoint) in one module and probes with descriptions (struct ust0_probe_desc) in another. A probe
 * is compiled code with the layouts below inlined, so nothing here can be chosen. Only what the bridge reads or must provide has a name.
 */
#ifndef UST0_UST0_H
#define UST0_UST0_H

#include <stddef.h>
#include <stdint.h>

#define UST0_LAYOUT(what) _Static_assert(what, "the layout of the 0-ABI on 64-bit machines")

/* ---- call sites: section __tracepoints of an instrumented module ---- */

struct ust0_tracepoint {
	const char *name; // "provider:event"
	int state;        // the program reads it before anything else: 0 = off
	const void *probes;
	int *provider_ref;
	const char *signature;
	char reserved[16];
};
UST0_LAYOUT(offsetof(struct ust0_tracepoint, state) == 8);
UST0_LAYOUT(offsetof(struct ust0_tracepoint, reserved) == 40);
UST0_LAYOUT(sizeof(struct ust0_tracepoint) == 56);

/* ---- descriptions ---- */

enum ust0_type {
	UST0_INTEGER,
	UST0_ENUM,
	UST0_ARRAY,
	UST0_SEQUENCE,
	UST0_STRING,
	UST0_FLOAT,
	UST0_DYNAMIC,
	UST0_STRUCT,
};

struct ust0_integer {
	unsigned size;            // bits
	unsigned short alignment; // bits
	unsigned is_signed : 1;
	unsigned is_reverse : 1; // not the machine's byte order
	unsigned base;
	int encoding;
	char reserved[24];
};
UST0_LAYOUT(offsetof(struct ust0_integer, base) == 8);
UST0_LAYOUT(sizeof(struct ust0_integer) == 40);

struct ust0_float {
	unsigned exponent_bits;
	unsigned mantissa_bits;
	unsigned short alignment; // bits
	unsigned is_reverse : 1;
};

struct ust0_enum_value {
	uint64_t value;
	unsigned is_signed : 1;
};

struct ust0_enum_entry {
	struct ust0_enum_value start, end; // both included
	const char *string;
	unsigned options;
	char reserved[12];
};
UST0_LAYOUT(offsetof(struct ust0_enum_entry, options) == 40);
UST0_LAYOUT(sizeof(struct ust0_enum_entry) == 56);

struct ust0_enum_desc {
	const char *name;
	const struct ust0_enum_entry *entries;
	unsigned entry_count;
};

union ust0_basic {
	struct ust0_integer integer;
	struct {
		const struct ust0_enum_desc *desc;
		struct ust0_integer container;
	} enumeration;
	struct {
		int encoding;
	} string;
	struct ust0_float floating;
	char reserved[128];
};

struct ust0_basic_type {
	enum ust0_type kind;
	union ust0_basic basic;
};
UST0_LAYOUT(sizeof(struct ust0_basic_type) == 136);

struct ust0_field;

struct ust0_field_type {
	enum ust0_type kind;
	union {
		union ust0_basic basic;
		struct {
			struct ust0_basic_type element;
			unsigned length;
		} array;
		struct {
			struct ust0_basic_type length;
			struct ust0_basic_type element;
		} sequence;
		struct {
			uint32_t field_count;
			const struct ust0_field *fields;
		} structure;
	} u;
};

struct ust0_field {
	const char *name;
	struct ust0_field_type type;
	unsigned is_nowrite; // for filters only, not in the record
	char reserved[28];
};
UST0_LAYOUT(offsetof(struct ust0_field, is_nowrite) == 288);
UST0_LAYOUT(sizeof(struct ust0_field) == 320);

struct ust0_event_desc {
	const char *name; // "provider:event"
	void (*probe)(void);
	const void *ctx;
	const struct ust0_field *fields;
	unsigned field_count;
	const int **loglevel;
	const char *signature;
	const char **model_emf_uri;
};
UST0_LAYOUT(offsetof(struct ust0_event_desc, signature) == 48);
UST0_LAYOUT(offsetof(struct ust0_event_desc, model_emf_uri) == 56);

#define UST0_PROVIDER_MAJOR 1

struct ust0_probe_desc {
	const char *provider;
	const struct ust0_event_desc *const *events;
	unsigned event_count;
	void *lists[4];
	int lazy;
	uint32_t major;
	uint32_t minor;
};
UST0_LAYOUT(offsetof(struct ust0_probe_desc, event_count) == 16);
UST0_LAYOUT(offsetof(struct ust0_probe_desc, major) == 60);

/* ---- what a probe reads while it records ---- */

struct ust0_list {
	struct ust0_list *next, *prev;
};

struct ust0_session {
	int active;
};

struct ust0_ctx;

struct ust0_channel_ops {
	void *create, *destroy;
	unsigned long has_strcpy; // bit 0
	void *unused;
	int (*event_reserve)(struct ust0_ctx *ctx, uint32_t event_id);
	void (*event_commit)(struct ust0_ctx *ctx);
	void (*event_write)(struct ust0_ctx *ctx, const void *src, size_t length);
	void *packet_avail_size, *is_finalized, *is_disabled, *flush_buffer;
	void (*event_strcpy)(struct ust0_ctx *ctx, const char *src, size_t length);
};
UST0_LAYOUT(offsetof(struct ust0_channel_ops, has_strcpy) == 16);
UST0_LAYOUT(offsetof(struct ust0_channel_ops, event_reserve) == 32);
UST0_LAYOUT(offsetof(struct ust0_channel_ops, event_strcpy) == 88);

struct ust0_channel {
	void *chan;
	int enabled;
	void *ctx;
	const struct ust0_session *session;
	int objd;
	unsigned unused[2];
	struct ust0_list node;
	const struct ust0_channel_ops *ops;
	int header_type;
	void *handle;
};
UST0_LAYOUT(offsetof(struct ust0_channel, session) == 24);
UST0_LAYOUT(offsetof(struct ust0_channel, ops) == 64);
UST0_LAYOUT(offsetof(struct ust0_channel, handle) == 80);

struct ust0_event {
	unsigned id;
	const struct ust0_channel *chan;
	int enabled;
	const void *desc;
	void *unused;
	void *ctx;
	char unread[56];
	struct ust0_list filters; // of struct ust0_filter.node; empty: record without asking
	int has_enablers_without_filter;
	char unread_end[40];
};
UST0_LAYOUT(offsetof(struct ust0_event, ctx) == 40);
UST0_LAYOUT(offsetof(struct ust0_event, filters) == 104);
UST0_LAYOUT(offsetof(struct ust0_event, has_enablers_without_filter) == 120);
UST0_LAYOUT(sizeof(struct ust0_event) == 168);

#define UST0_FILTER_RECORD UINT64_C(1)

struct ust0_filter {
	void *bytecode;
	uint64_t (*filter)(void *self, const char *stack);
	int link_failed;
	struct ust0_list node;
	void *session, *event;
};
UST0_LAYOUT(offsetof(struct ust0_filter, node) == 24);

/* On the probe's stack. From reserve to commit it belongs to the library, but for buf_offset, which inlined alignment code adds to. */
struct ust0_ctx {
	void *chan;
	void *event; // the data that the probe was called with
	void *handle;
	size_t data_size;
	int largest_align;
	int cpu;
	void *buf;
	size_t slot_size;
	unsigned long buf_offset;
	unsigned long pre_offset;
	uint64_t tsc;
	unsigned rflags;
	unsigned ctx_len;
	void *ip;
	void *priv2;
};
UST0_LAYOUT(offsetof(struct ust0_ctx, data_size) == 24);
UST0_LAYOUT(offsetof(struct ust0_ctx, buf_offset) == 56);
UST0_LAYOUT(offsetof(struct ust0_ctx, ip) == 88);

#endif
