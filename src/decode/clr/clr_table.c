// SPDX-License-Identifier: GPL-2.0-only
/* The table of clr_events.def as data, and the ways to look into it: once per event class, so a walk is good enough. */
#include "decode/clr/clr.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define OFFSET(member_) ((uint16_t)offsetof(struct nt_event, u.member_))

/* How a number is stored follows from the type of its destination. */
#define STORE_TO(member_) _Generic(((struct nt_event *)NULL)->u.member_, \
	uint32_t: NT_CLR_TO_U32, uint64_t: NT_CLR_TO_U64, double: NT_CLR_TO_F64)

#define TO(wire_, action_, wire, action) ((wire_) == NT_WIRE_##wire && (action_) == NT_CLR_TO_##action)
#define COPY(wire_, action_) ( \
	TO(wire_, action_, U8, U32) ? NT_CLR_COPY_8_TO_32 : TO(wire_, action_, U16, U32) ? NT_CLR_COPY_16_TO_32 : \
	TO(wire_, action_, U32, U32) || TO(wire_, action_, I32, U32) || TO(wire_, action_, BOOL, U32) ? NT_CLR_COPY_32_TO_32 : \
	TO(wire_, action_, U32, U64) ? NT_CLR_COPY_32_TO_64 : \
	TO(wire_, action_, U64, U64) || TO(wire_, action_, PTR, U64) ? NT_CLR_COPY_64_TO_64 : \
	TO(wire_, action_, STR, U32) ? NT_CLR_COPY_TEXT : NT_CLR_COPY_OTHER)

/* Of a number; 0 = no number. */
#define BYTES(wire_) ( \
	(wire_) == NT_WIRE_U8 ? 1 : (wire_) == NT_WIRE_U16 ? 2 : (wire_) == NT_WIRE_STR || (wire_) == NT_WIRE_REST ? 0 : \
	(wire_) == NT_WIRE_U32 || (wire_) == NT_WIRE_I32 || (wire_) == NT_WIRE_BOOL ? 4 : 8)

/* First reading: one array of fields per event. */
#define FIELD(wire_, name_, member_) \
	{ #name_, #member_, NT_WIRE_##wire_, STORE_TO(member_), COPY(NT_WIRE_##wire_, STORE_TO(member_)), \
	  BYTES(NT_WIRE_##wire_), OFFSET(member_) }
#define SKIP(wire_, name_) \
	{ #name_, NULL, NT_WIRE_##wire_, NT_CLR_SKIP, NT_WIRE_##wire_ < NT_WIRE_STR ? NT_CLR_COPY_NOT : NT_CLR_COPY_OTHER, BYTES(NT_WIRE_##wire_), 0 }
#define TYPE(name_) { #name_, NULL, NT_WIRE_STR, NT_CLR_TYPE, NT_CLR_COPY_OTHER, 0, 0 }
#define METHOD(name_) { #name_, NULL, NT_WIRE_STR, NT_CLR_METHOD, NT_CLR_COPY_OTHER, 0, 0 }
#define SIGNATURE(name_, member_) { #name_, #member_, NT_WIRE_STR, NT_CLR_SIGNATURE, NT_CLR_COPY_OTHER, 0, OFFSET(member_) }
#define GENERATIONS(name_) { #name_, "gc_heap_history", NT_WIRE_REST, NT_CLR_GENERATIONS, NT_CLR_COPY_OTHER, 0, OFFSET(gc_heap_history) }
#define STEPS(name_) { #name_, "gc_global_history.step_us", NT_WIRE_REST, NT_CLR_STEPS, NT_CLR_COPY_OTHER, 0, OFFSET(gc_global_history) }
#define NOTHING
#define NULL_TEXT(event_, field_, what_, why_)
#define CONSTANT(member_, value_)
#define EVENT(name_, version_, id_, form_, kind_, constant_, ...) \
	static const struct nt_clr_field name_##_##version_[] = { __VA_ARGS__ };
#include "decode/clr/clr_events.def"

/* Second reading: one description per event. */
#define FIELD(wire_, name_, member_)
#define SKIP(wire_, name_)
#define TYPE(name_)
#define METHOD(name_)
#define SIGNATURE(name_, member_)
#define GENERATIONS(name_)
#define STEPS(name_)
#define NOTHING
#define NULL_TEXT(event_, field_, what_, why_)
#define CONSTANT(member_, value_) \
	.constant_member = #member_, .constant_offset = OFFSET(member_), .constant_value = value_
#define FORM_FIELDS false
#define FORM_PACKED true
#define EVENT(name_, version_, id_, form_, kind_, constant_, ...) {                                   \
	.name = version_ ? #name_ "_V" #version_ : #name_, .base = #name_, .id = id_, .version = version_, \
	.kind = NT_EV_##kind_, .packed_over_lttng = FORM_##form_, .fields = name_##_##version_,            \
	.field_count = sizeof(name_##_##version_) / sizeof(struct nt_clr_field), constant_ },
static const struct nt_clr_desc table[] = {
#include "decode/clr/clr_events.def"
};

/* Third reading: texts that may be null. */
#define EVENT(...)
#define NULL_TEXT(event_, field_, what_, why_) { #event_, #field_, NT_CLR_NULL_##what_, why_ },
static const struct {
	const char *base, *field;
	enum nt_clr_null null;
	const char *why;
} null_texts[] = {
#include "decode/clr/clr_events.def"
};
/* clang-format on */

enum { TABLE_COUNT = sizeof(table) / sizeof(*table) };

const struct nt_clr_desc *nt_clr_at_index(size_t index)
{
	return index < TABLE_COUNT ? &table[index] : NULL;
}

/* The newest version of an event that is not newer than `version`. By id, or by base name when that is given. */
static const struct nt_clr_desc *newest(const char *base, size_t base_length, uint32_t id, uint32_t version)
{
	const struct nt_clr_desc *best = NULL;
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		const struct nt_clr_desc *desc = &table[i];
		bool same = base ? strlen(desc->base) == base_length && memcmp(desc->base, base, base_length) == 0 : desc->id == id;
		if (same && desc->version <= version && (!best || desc->version > best->version))
			best = desc;
	}
	return best;
}

/* Take `_V<digits>` off the end of name[0..*length); 0 when there is none. */
static uint32_t take_version(const char *name, size_t *length)
{
	size_t digits = *length;
	while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	if (digits == *length || *length - digits > 4 || digits < 3 || memcmp(name + digits - 2, "_V", 2) != 0)
		return 0;
	*length = digits - 2;
	return (uint32_t)strtoul(name + digits, NULL, 10);
}

const struct nt_clr_desc *nt_clr_by_lttng_name(const char *name)
{
	const char *colon = strchr(name, ':');
	if (colon) {
		size_t provider = strlen(NT_CLR_LTTNG_PROVIDER);
		if ((size_t)(colon - name) != provider || memcmp(name, NT_CLR_LTTNG_PROVIDER, provider) != 0)
			return NULL;
		name = colon + 1;
	}
	size_t length = strlen(name);
	uint32_t version = take_version(name, &length);
	return newest(name, length, 0, version);
}

const struct nt_clr_desc *nt_clr_by_id(const char *provider, uint32_t id, uint32_t version)
{
	if (strcmp(provider, NT_CLR_PROVIDER) != 0)
		return NULL;
	return newest(NULL, 0, id, version);
}

enum nt_clr_null nt_clr_null_text(const char *base, const char *field, const char **why)
{
	for (size_t i = 0; i < sizeof(null_texts) / sizeof(*null_texts); i++) {
		if (strcmp(null_texts[i].base, base) == 0 && strcmp(null_texts[i].field, field) == 0) {
			*why = null_texts[i].why;
			return null_texts[i].null;
		}
	}
	*why = "";
	return NT_CLR_NULL_UNKNOWN;
}

int nt_clr_field_index(const struct nt_clr_desc *desc, const char *name)
{
	for (unsigned i = 0; i < desc->field_count; i++)
		if (strcmp(desc->fields[i].name, name) == 0)
			return (int)i;
	return -1;
}
