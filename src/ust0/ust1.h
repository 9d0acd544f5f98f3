// SPDX-License-Identifier: MIT
/*
 * The 1-ABI: liblttng-ust.so.1 (lttng-ust 2.13 and later), as far as the bridge speaks it.
 *
 * Own declarations and dlsym() instead of headers and linking: the bridge builds without LTTng and does nothing where LTTng is absent. By LTTng's own rule
 * these structures only grow at their ends within the soname; `struct_size` says how much of them the maker knew.
 */
#ifndef UST0_UST1_H
#define UST0_UST1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UST1_COMMON     "liblttng-ust-common.so.1"
#define UST1_TRACEPOINT "liblttng-ust-tracepoint.so.1"
#define UST1_PROBE      "liblttng-ust.so.1"

#define UST1_LAYOUT(what) _Static_assert(what, "the layout of the 1-ABI on 64-bit machines")

/* ---- call sites ---- */

struct ust1_tracepoint_probe {
	void (*func)(void);
	void *data;
};

struct ust1_tracepoint {
	uint32_t struct_size;
	const char *provider_name;
	const char *event_name;
	int state;
	const struct ust1_tracepoint_probe *probes; // ends with func == NULL; swapped under RCU
	int *provider_ref;
	const char *signature;
};
UST1_LAYOUT(offsetof(struct ust1_tracepoint, event_name) == 16);
UST1_LAYOUT(offsetof(struct ust1_tracepoint, state) == 24);
UST1_LAYOUT(sizeof(struct ust1_tracepoint) == 56);

/* ---- descriptions ---- */

enum ust1_type {
	UST1_INTEGER,
	UST1_STRING,
	UST1_FLOAT,
	UST1_DYNAMIC,
	UST1_ENUM,
	UST1_ARRAY,
	UST1_SEQUENCE,
	UST1_STRUCT,
};

// The first member of every type.
struct ust1_type_common {
	enum ust1_type kind;
};

struct ust1_integer {
	struct ust1_type_common common;
	uint32_t struct_size;
	unsigned size;
	unsigned short alignment;
	unsigned is_signed : 1;
	unsigned is_reverse : 1;
	unsigned base;
};
UST1_LAYOUT(offsetof(struct ust1_integer, base) == 16);

struct ust1_float {
	struct ust1_type_common common;
	uint32_t struct_size;
	unsigned exponent_bits;
	unsigned mantissa_bits;
	unsigned short alignment;
	unsigned is_reverse : 1;
};

struct ust1_string {
	struct ust1_type_common common;
	uint32_t struct_size;
	int encoding;
};

struct ust1_enum_value {
	unsigned long long value;
	unsigned is_signed : 1;
};

struct ust1_enum_entry {
	uint32_t struct_size;
	struct ust1_enum_value start, end;
	const char *string;
	unsigned options;
};
UST1_LAYOUT(offsetof(struct ust1_enum_entry, options) == 48);

struct ust1_probe_desc;

struct ust1_enum_desc {
	uint32_t struct_size;
	const char *name;
	const struct ust1_enum_entry *const *entries;
	unsigned entry_count;
	const struct ust1_probe_desc *probe_desc;
};
UST1_LAYOUT(offsetof(struct ust1_enum_desc, probe_desc) == 32);

struct ust1_enum {
	struct ust1_type_common common;
	uint32_t struct_size;
	const struct ust1_enum_desc *desc;
	const struct ust1_type_common *container;
};

struct ust1_array {
	struct ust1_type_common common;
	uint32_t struct_size;
	const struct ust1_type_common *element;
	unsigned length;
	unsigned alignment;
	int encoding;
};
UST1_LAYOUT(offsetof(struct ust1_array, encoding) == 24);

struct ust1_sequence {
	struct ust1_type_common common;
	uint32_t struct_size;
	const char *length_name; // NULL: the field before
	const struct ust1_type_common *element;
	unsigned alignment;
	int encoding;
};
UST1_LAYOUT(offsetof(struct ust1_sequence, encoding) == 28);

struct ust1_field;

struct ust1_struct {
	struct ust1_type_common common;
	uint32_t struct_size;
	unsigned field_count;
	const struct ust1_field *const *fields;
	unsigned alignment;
};
UST1_LAYOUT(offsetof(struct ust1_struct, fields) == 16);

struct ust1_field {
	uint32_t struct_size;
	const char *name;
	const struct ust1_type_common *type;
	unsigned is_nowrite : 1;
	unsigned is_nofilter : 1;
};
UST1_LAYOUT(offsetof(struct ust1_field, type) == 16);

struct ust1_class {
	uint32_t struct_size;
	const struct ust1_field *const *fields;
	size_t field_count;
	void (*probe)(void);
	const char *signature;
	const struct ust1_probe_desc *probe_desc;
};
UST1_LAYOUT(sizeof(struct ust1_class) == 48);

struct ust1_event_desc {
	uint32_t struct_size;
	const char *name; // without the provider
	const struct ust1_probe_desc *probe_desc;
	const struct ust1_class *class;
	const int **loglevel;
	const char **model_emf_uri;
};
UST1_LAYOUT(sizeof(struct ust1_event_desc) == 48);

#define UST1_PROVIDER_MAJOR 3

struct ust1_probe_desc {
	uint32_t struct_size;
	const char *provider;
	const struct ust1_event_desc *const *events;
	unsigned event_count;
	uint32_t major;
	uint32_t minor;
};
UST1_LAYOUT(offsetof(struct ust1_probe_desc, major) == 28);

/* ---- what a probe reads while it records ---- */

struct ust1_probe_ctx {
	uint32_t struct_size;
	void *ip;
};

struct ust1_ctx {
	uint32_t struct_size;
	void *recorder;
	size_t data_size;
	int largest_align;
	struct ust1_probe_ctx *probe_ctx;
	void *priv;
};
UST1_LAYOUT(sizeof(struct ust1_ctx) == 48);

struct ust1_channel_ops {
	uint32_t struct_size;
	void *priv;
	int (*event_reserve)(struct ust1_ctx *ctx);
	void (*event_commit)(struct ust1_ctx *ctx);
	void (*event_write)(struct ust1_ctx *ctx, const void *src, size_t length, size_t alignment);
	void (*event_strcpy)(struct ust1_ctx *ctx, const char *src, size_t length);
};
UST1_LAYOUT(offsetof(struct ust1_channel_ops, event_strcpy) == 40);

struct ust1_session {
	uint32_t struct_size;
	void *priv;
	int active;
};

struct ust1_channel {
	uint32_t struct_size;
	void *priv;
	int type;
	void *child;
	int enabled;
	const struct ust1_session *session;
};
UST1_LAYOUT(offsetof(struct ust1_channel, session) == 40);

struct ust1_channel_buffer {
	uint32_t struct_size;
	const struct ust1_channel *parent;
	void *priv;
	const struct ust1_channel_ops *ops;
};
UST1_LAYOUT(offsetof(struct ust1_channel_buffer, ops) == 24);

enum ust1_event_type {
	UST1_EVENT_RECORDER = 0,
	UST1_EVENT_NOTIFIER = 1,
};

// The data that a probe of the 1-ABI is called with.
struct ust1_event {
	uint32_t struct_size;
	void *priv;
	int type;
	void *child; // struct ust1_recorder or ust1_notifier
	int enabled;
	int eval_filter;
	int (*run_filter)(const struct ust1_event *event, const char *stack, struct ust1_probe_ctx *ctx, void *filter_ctx); // 0: accept
};
UST1_LAYOUT(offsetof(struct ust1_event, type) == 16);
UST1_LAYOUT(offsetof(struct ust1_event, eval_filter) == 36);

struct ust1_recorder {
	uint32_t struct_size;
	void *parent;
	void *priv;
	const struct ust1_channel_buffer *chan;
};
UST1_LAYOUT(offsetof(struct ust1_recorder, chan) == 24);

struct ust1_notification_ctx {
	uint32_t struct_size;
	int eval_capture;
};

struct ust1_notifier {
	uint32_t struct_size;
	void *parent;
	void *priv;
	int eval_capture;
	void (*send)(const struct ust1_notifier *notifier, const char *stack, struct ust1_probe_ctx *ctx,
		     struct ust1_notification_ctx *notification);
};
UST1_LAYOUT(offsetof(struct ust1_notifier, send) == 32);

/* ---- functions ---- */

struct ust1_function {
	const char *name;
	void *address; // a pointer to a function pointer; set only when all of a library's are there
};

/*
 * Loads a library of the 1-ABI for good and looks up its functions. False, with no address set, when the library or one of them is not there.
 */
bool ust1_open(const char *library, const struct ust1_function *functions, size_t count);

#endif
