/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/clr: the runtime's events, whatever carried them. */
/*
 * The runtime's events, independent of what carried them.
 *
 * src/decode/clr/clr_events.def is the one table: every version of every event that nettop knows, its fields with their wire types, and where
 * each goes in struct nt_event. LTTng with fields, LTTng packed (`length`, `__data__`), EventPipe and user_events are carriers of it. A
 * carrier (1) finds the description, once per event class; (2) fills one nt_clr_value per field; (3) calls nt_clr_build().
 *
 *   desc = nt_clr_by_lttng_name("DotNETRuntime:GCStart_V2");           unknown: NULL -> nt_clr_build_unknown()
 *   fields:  nt_clr_values_clear(desc, values); i = nt_clr_field_index(desc, "Depth"); nt_clr_set_integer(&values[i], 2);
 *   packed:  nt_clr_values_from_packed(desc, bytes, length, values);    NT_ERR_MALFORMED: the payload breaks its layout
 *   then:    nt_clr_build(desc, values, &at);
 *
 * A version newer than the table decodes by the newest version the table knows: new versions only append fields.
 */
#ifndef NT_DECODE_CLR_H
#define NT_DECODE_CLR_H

#include "nettop/event.h"

struct nt_interner;

/* Providers as the runtime's manifest, and as LTTng calls them. */
#define NT_CLR_PROVIDER       "Microsoft-Windows-DotNETRuntime"
#define NT_CLR_LTTNG_PROVIDER "DotNETRuntime"

/* Enough for every event of the table (GCPerHeapHistory_V3 has 15). */
enum { NT_CLR_FIELDS_MAX = 20 };

/* Bytes of one payload; the runtime's own limit is 64 KB. */
enum { NT_CLR_PAYLOAD_MAX = 1 << 20 };

/* How a field lies in a packed payload: little endian, no padding. LTTng with fields uses the same widths; texts are UTF-8 there. */
enum nt_clr_wire {
	NT_WIRE_U8,
	NT_WIRE_U16,
	NT_WIRE_U32,
	NT_WIRE_I32,
	NT_WIRE_U64,
	NT_WIRE_F64,
	NT_WIRE_PTR,  /* 8 bytes: nettop watches 64-bit processes */
	NT_WIRE_BOOL, /* 4 bytes */
	NT_WIRE_STR,  /* UTF-16LE with a 16-bit NUL; a null pointer writes nothing at all */
	NT_WIRE_REST, /* an array to the end of the payload; the field before it is the element count */
};

/* What nt_clr_build() does with a field's value. */
enum nt_clr_action {
	NT_CLR_SKIP,        /* not kept */
	NT_CLR_TO_U32,      /* to a uint32_t member: a number, or the id of a text */
	NT_CLR_TO_U64,      /* to a uint64_t member */
	NT_CLR_TO_F64,      /* to a double member */
	NT_CLR_TYPE,        /* MethodNamespace: remembered for the method's name */
	NT_CLR_METHOD,      /* MethodName: the same */
	NT_CLR_SIGNATURE,   /* MethodSignature: the display name goes to a nt_str member */
	NT_CLR_GENERATIONS, /* sizes of GCPerHeapHistory, by generation */
	NT_CLR_STEPS,       /* durations of GCGlobalHeapHistory */
};

/* How most fields of a packed payload get to their destination, so that decoding is one branch for each. */
enum nt_clr_copy {
	NT_CLR_COPY_OTHER, /* by wire and action */
	NT_CLR_COPY_NOT,   /* a number that is skipped */
	NT_CLR_COPY_TEXT,
	NT_CLR_COPY_8_TO_32,
	NT_CLR_COPY_16_TO_32,
	NT_CLR_COPY_32_TO_32,
	NT_CLR_COPY_32_TO_64,
	NT_CLR_COPY_64_TO_64,
};

struct nt_clr_field {
	const char *name;   /* as in the runtime's manifest, hence as in LTTng */
	const char *member; /* destination in the union of struct nt_event, for documents; NULL = not kept */
	uint8_t wire;       /* enum nt_clr_wire */
	uint8_t action;     /* enum nt_clr_action */
	uint8_t copy : 3;   /* enum nt_clr_copy: of a packed payload; no wider, so that no look-up by it needs a check */
	uint8_t bytes;      /* of a number in a packed payload; 0 = no number */
	uint16_t offset;    /* of the destination in struct nt_event; 0 = none */
};

/* One version of one event. Static storage: valid for the program's life. */
struct nt_clr_desc {
	const char *name; /* LTTng name without provider: GCStart_V2 */
	const char *base; /* name without version: GCStart */
	uint16_t id;      /* event id in the runtime's manifest */
	uint16_t version;
	uint16_t kind;          /* enum nt_event_kind; NT_EV_NONE: known, but not kept */
	bool packed_over_lttng; /* what the runtime does; a carrier believes the trace itself (a field named `__data__`) */
	unsigned field_count;
	const struct nt_clr_field *fields; /* in the order of the payload */
	const char *constant_member;       /* a uint32_t member that this event always sets; NULL = none */
	uint16_t constant_offset;
	uint16_t constant_value;
};

/* `name` as babeltrace gives it, "DotNETRuntime:GCStart_V2" or without provider. NULL: another provider, or not in the table. */
const struct nt_clr_desc *nt_clr_by_lttng_name(const char *name);

/* By manifest provider (NT_CLR_PROVIDER), event id and version, as EventPipe and user_events say it. NULL: not in the table. */
const struct nt_clr_desc *nt_clr_by_id(const char *provider, uint32_t id, uint32_t version);

/* The whole table in order: for generators and tests. NULL past the end. */
const struct nt_clr_desc *nt_clr_at_index(size_t index);

/* Index of the field `name` in `desc`, -1 when it has none: what a newer version appended is skipped by the carrier. */
int nt_clr_field_index(const struct nt_clr_desc *desc, const char *name);

/* What happens to a text that the runtime hands over as null. */
enum nt_clr_null {
	NT_CLR_NULL_UNKNOWN,  /* it was not examined, or is no text */
	NT_CLR_NULL_NEVER,    /* there is none */
	NT_CLR_NULL_ENDS,     /* over LTTng it ends the program: nobody may enable the event there */
	NT_CLR_NULL_LEFT_OUT, /* the payload has nothing in its place */
};

/* Of a field of an event, by its name without version. *why: when it is null, or why never; static, may be "". */
enum nt_clr_null nt_clr_null_text(const char *base, const char *field, const char **why);

/* ---- values ---- */

enum nt_clr_value_type { NT_CLR_NONE, NT_CLR_INTEGER, NT_CLR_REAL, NT_CLR_UTF8, NT_CLR_UTF16, NT_CLR_BYTES };

/* One field's value. Texts and bytes are borrowed from the carrier until nt_clr_build() returns. A type that does not fit the field is harmless. */
struct nt_clr_value {
	uint32_t type;   /* enum nt_clr_value_type; NONE = not delivered, the destination stays 0 */
	uint32_t length; /* bytes of text (without NUL) or bytes */
	union {
		uint64_t integer; /* signed ones sign-extended */
		double real;
		const uint8_t *bytes;
	} u;
};

/* Mark every value of `desc` as not delivered. */
void nt_clr_values_clear(const struct nt_clr_desc *desc, struct nt_clr_value values[NT_CLR_FIELDS_MAX]);

static inline void nt_clr_set_integer(struct nt_clr_value *value, uint64_t integer)
{
	value->type = NT_CLR_INTEGER;
	value->u.integer = integer;
}

static inline void nt_clr_set_signed(struct nt_clr_value *value, int64_t integer)
{
	nt_clr_set_integer(value, (uint64_t)integer);
}

static inline void nt_clr_set_real(struct nt_clr_value *value, double real)
{
	value->type = NT_CLR_REAL;
	value->u.real = real;
}

/* `text` is borrowed until nt_clr_build() returns. */
void nt_clr_set_utf8(struct nt_clr_value *value, const char *text, size_t length);

/*
 * Fill values[0..field_count) from a packed payload (dotnet-runtime packing rule: fields concatenated). Bytes after the last known field are
 * those of a newer version and ignored. NT_ERR_MALFORMED when the payload ends early or does not fit its own texts; `values` are then undefined.
 */
enum nt_status nt_clr_values_from_packed(const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length,
					 struct nt_clr_value values[NT_CLR_FIELDS_MAX]);

/* ---- building ---- */

/* Where an event goes, and when and where it happened: pid and tid in nettop's pid namespace. Everything is borrowed. */
struct nt_clr_at {
	struct nt_interner *interner;
	struct nt_batch *batch;
	nt_time time;
	uint32_t pid, tid;
};

/* Append the event to at->batch. The result is valid until the next append; NULL when the table says that this event is not kept. */
struct nt_event *nt_clr_build(const struct nt_clr_desc *desc, const struct nt_clr_value *values, const struct nt_clr_at *at);

/*
 * The same from a packed payload, in one step: what nt_clr_values_from_packed() and nt_clr_build() do one after the other, at half the cost.
 * NT_ERR_MALFORMED: nothing is appended.
 */
enum nt_status nt_clr_build_packed(const struct nt_clr_desc *desc, const uint8_t *bytes, size_t length, const struct nt_clr_at *at,
				   struct nt_event **built);

/* Append NT_EV_CLR_UNKNOWN for an event that the table does not have, or whose payload is malformed. `name` as the carrier called it. */
struct nt_event *nt_clr_build_unknown(const char *name, const struct nt_clr_at *at);

#endif
