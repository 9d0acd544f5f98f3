// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile of pprof (github.com/google/pprof, proto/profile.proto), not compressed. A frame is a location and a function of its own, because the tier is
 * part of a function's name; a module is a mapping. Thread and its number are labels of each sample.
 */
#include "output/stacks/stacks_parts.h"

#include "base/hash.h"
#include "base/index.h"
#include "output/stacks/protobuf.h"

#include <string.h>

/* Field numbers of profile.proto. */
enum profile_field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DURATION_NS = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
};
enum value_type_field { VALUE_TYPE = 1, VALUE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATION = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum label_field { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3 };
enum mapping_field { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum location_field { LOCATION_ID = 1, LOCATION_MAPPING = 2, LOCATION_LINE = 4 };
enum line_field { LINE_FUNCTION = 1 };
enum function_field { FUNCTION_ID = 1, FUNCTION_NAME = 2, FUNCTION_SYSTEM_NAME = 3, FUNCTION_FILE = 4 };

struct pprof {
	FILE *out;
	const struct nt_stacks *stacks;
	struct nt_index texts;      /* hash -> number in the string table */
	uint64_t text_count;        /* 0 is the empty one */
	struct nt_index mappings;   /* number of the module's name -> id */
	uint32_t mapping_count;     /* ids begin with 1 */
	struct nt_protobuf field;   /* scratch: what is written next */
	struct nt_protobuf message; /* scratch: the message in it */
	struct nt_protobuf part;    /* scratch: a message in that */
};

/* Messages of one field after the other are one message: nothing has to be kept. */
static void put_field(struct pprof *p, enum profile_field field, const void *bytes, size_t length)
{
	p->field.length = 0;
	nt_protobuf_add_bytes(&p->field, field, bytes, length);
	fwrite(p->field.bytes, 1, p->field.length, p->out);
}

static void put_message(struct pprof *p, enum profile_field field)
{
	put_field(p, field, p->message.bytes, p->message.length);
	p->message.length = 0;
}

static void put_number(struct pprof *p, enum profile_field field, uint64_t value)
{
	p->field.length = 0;
	nt_protobuf_add_number(&p->field, field, value);
	fwrite(p->field.bytes, 1, p->field.length, p->out);
}

/*
 * The number of a text that is safe already. Entries of the string table are written where they first occur: repeated fields keep their order. Two texts
 * with the same 64 bits of hash would be one: it would take someone who looks for them.
 */
static uint64_t text_number(struct pprof *p, const char *text)
{
	size_t length = strlen(text);
	if (!length)
		return 0;
	uint64_t hash = nt_hash_bytes(text, length);
	uint32_t number = nt_index_get(&p->texts, hash);
	if (number != NT_INDEX_NONE)
		return number;
	put_field(p, PROFILE_STRING, text, length);
	nt_index_put(&p->texts, hash, (uint32_t)p->text_count);
	return p->text_count++;
}

static uint64_t foreign_text_number(struct pprof *p, const char *text)
{
	char safe[NT_STACKS_LABEL];
	nt_stacks_safe(text, '\0', safe, sizeof(safe));
	return text_number(p, safe);
}

/* ---- what samples refer to ---- */

static uint64_t mapping_id(struct pprof *p, uint64_t file)
{
	if (!file)
		return 0;
	uint32_t known = nt_index_get(&p->mappings, file);
	if (known != NT_INDEX_NONE)
		return known;
	nt_index_put(&p->mappings, file, ++p->mapping_count);
	nt_protobuf_add_number(&p->message, MAPPING_ID, p->mapping_count);
	nt_protobuf_add_number(&p->message, MAPPING_FILE, file);
	nt_protobuf_add_number(&p->message, MAPPING_HAS_FUNCTIONS, true); /* pprof need not look for any */
	put_message(p, PROFILE_MAPPING);
	return p->mapping_count;
}

/* The first mapping is the program's: `go tool pprof` calls the profile by its name. */
static void put_program(struct pprof *p)
{
	mapping_id(p, foreign_text_number(p, p->stacks->process_name));
}

/* Ids must not be 0. */
static uint64_t location_id(uint32_t frame)
{
	return (uint64_t)frame + 1;
}

static void put_frame(struct pprof *p, uint32_t number)
{
	const struct nt_stack_frame *frame = &p->stacks->tree->frames[number];
	char label[NT_STACKS_LABEL];
	nt_stacks_label(p->stacks, frame, '\0', label, sizeof(label));
	uint64_t name = text_number(p, label);
	uint64_t system_name = foreign_text_number(p, frame->raw_name ? frame->raw_name : frame->name);
	uint64_t file = foreign_text_number(p, frame->module);
	uint64_t mapping = mapping_id(p, file);

	nt_protobuf_add_number(&p->message, FUNCTION_ID, location_id(number));
	nt_protobuf_add_number(&p->message, FUNCTION_NAME, name);
	nt_protobuf_add_number(&p->message, FUNCTION_SYSTEM_NAME, system_name);
	nt_protobuf_add_number(&p->message, FUNCTION_FILE, file);
	put_message(p, PROFILE_FUNCTION);

	p->part.length = 0;
	nt_protobuf_add_number(&p->part, LINE_FUNCTION, location_id(number));
	nt_protobuf_add_number(&p->message, LOCATION_ID, location_id(number));
	nt_protobuf_add_number(&p->message, LOCATION_MAPPING, mapping);
	nt_protobuf_add_message(&p->message, LOCATION_LINE, &p->part);
	put_message(p, PROFILE_LOCATION);
}

/* ---- samples ---- */

static void add_label(struct pprof *p, uint64_t key, enum label_field field, uint64_t value)
{
	p->part.length = 0;
	nt_protobuf_add_number(&p->part, LABEL_KEY, key);
	nt_protobuf_add_number(&p->part, field, value);
	nt_protobuf_add_message(&p->message, SAMPLE_LABEL, &p->part);
}

static void put_sample(struct pprof *p, uint32_t node, uint64_t samples)
{
	const struct nt_stack_tree *tree = p->stacks->tree;
	uint32_t frames[NT_STACKS_DEPTH];
	uint32_t count = nt_stacks_walk(tree, node, frames);
	const struct nt_stack_frame *thread = &tree->frames[frames[0]];
	uint64_t thread_key = text_number(p, "thread"), tid_key = text_number(p, "tid");
	uint64_t thread_name = foreign_text_number(p, thread->name);

	p->part.length = 0;
	for (uint32_t f = count; f-- > 1;)
		nt_protobuf_add_varint(&p->part, location_id(frames[f]));
	nt_protobuf_add_message(&p->message, SAMPLE_LOCATION, &p->part);
	p->part.length = 0;
	for (uint32_t e = 0; e < p->stacks->event_count; e++)
		nt_protobuf_add_varint(&p->part, e == thread->what ? samples : 0);
	if (!p->stacks->events)
		nt_protobuf_add_varint(&p->part, samples);
	if (p->stacks->period_ns)
		nt_protobuf_add_varint(&p->part, samples * p->stacks->period_ns);
	nt_protobuf_add_message(&p->message, SAMPLE_VALUE, &p->part);
	if (thread_name)
		add_label(p, thread_key, LABEL_TEXT, thread_name);
	add_label(p, tid_key, LABEL_NUMBER, thread->tid);
	put_message(p, PROFILE_SAMPLE);
}

static void put_value_type(struct pprof *p, enum profile_field field, const char *type, const char *unit)
{
	uint64_t type_text = text_number(p, type), unit_text = text_number(p, unit);
	nt_protobuf_add_number(&p->message, VALUE_TYPE, type_text);
	nt_protobuf_add_number(&p->message, VALUE_UNIT, unit_text);
	put_message(p, field);
}

/* One for each thing that happened. */
static void put_sample_types(struct pprof *p)
{
	const struct nt_stacks *stacks = p->stacks;
	for (uint32_t e = 0; e < stacks->event_count; e++) {
		char safe[NT_STACKS_LABEL];
		nt_stacks_safe(stacks->events[e].name, '\0', safe, sizeof(safe));
		put_value_type(p, PROFILE_SAMPLE_TYPE, safe, stacks->events[e].unit);
	}
	if (!stacks->events)
		put_value_type(p, PROFILE_SAMPLE_TYPE, "samples", "count");
}

static void put_period(struct pprof *p)
{
	if (!p->stacks->period_ns)
		return;
	put_value_type(p, PROFILE_SAMPLE_TYPE, "cpu", "nanoseconds");
	put_value_type(p, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	put_number(p, PROFILE_PERIOD, p->stacks->period_ns);
}

void nt_stacks_write_pprof(FILE *out, const struct nt_stacks *stacks)
{
	const struct nt_stack_tree *tree = stacks->tree;
	struct pprof p = { .out = out, .stacks = stacks, .text_count = 1 };
	put_field(&p, PROFILE_STRING, "", 0);
	put_sample_types(&p);
	put_period(&p);
	put_number(&p, PROFILE_DURATION_NS, stacks->t1 - stacks->t0);
	put_program(&p);
	for (uint32_t f = 0; f < tree->frame_count; f++)
		if (tree->frames[f].sort != NT_FRAME_THREAD)
			put_frame(&p, f);
	for (uint32_t n = 0; n < tree->node_count; n++) {
		uint64_t samples = nt_stacks_samples(&tree->nodes[n]);
		if (samples)
			put_sample(&p, n, samples);
	}
	nt_index_fini(&p.texts);
	nt_index_fini(&p.mappings);
	nt_protobuf_fini(&p.field);
	nt_protobuf_fini(&p.message);
	nt_protobuf_fini(&p.part);
}
