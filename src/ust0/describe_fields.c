// SPDX-License-Identifier: MIT
#include "describe_fields.h"

#include "forever.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct ust0_enum_pair {
	const struct ust0_enum_desc *old;
	const struct ust1_enum_desc *new;
	struct ust0_enum_pair *next;
};

#define NEW_TYPE(pointer, kind_of_it)                                                                                                      \
	do {                                                                                                                               \
		(pointer) = ust0_forever(sizeof(*(pointer)));                                                                              \
		if (!(pointer))                                                                                                            \
			return NULL;                                                                                                       \
		(pointer)->common.kind = (kind_of_it);                                                                                     \
		(pointer)->struct_size = sizeof(*(pointer));                                                                               \
	} while (0)

static const struct ust1_type_common *new_integer(const struct ust0_integer *old)
{
	struct ust1_integer *integer;
	NEW_TYPE(integer, UST1_INTEGER);
	integer->size = old->size;
	integer->alignment = old->alignment;
	integer->is_signed = old->is_signed;
	integer->is_reverse = old->is_reverse;
	integer->base = old->base;
	return &integer->common;
}

static const struct ust1_type_common *new_float(const struct ust0_float *old)
{
	struct ust1_float *floating;
	NEW_TYPE(floating, UST1_FLOAT);
	floating->exponent_bits = old->exponent_bits;
	floating->mantissa_bits = old->mantissa_bits;
	floating->alignment = old->alignment;
	floating->is_reverse = old->is_reverse;
	return &floating->common;
}

static const struct ust1_type_common *new_string(int encoding)
{
	struct ust1_string *string;
	NEW_TYPE(string, UST1_STRING);
	string->encoding = encoding;
	return &string->common;
}

static const struct ust1_enum_entry *const *new_entries(const struct ust0_enum_desc *old)
{
	const struct ust1_enum_entry **pointers = ust0_forever((old->entry_count + 1) * sizeof(*pointers));
	struct ust1_enum_entry *entries = ust0_forever((old->entry_count + 1) * sizeof(*entries));
	if (!pointers || !entries)
		return NULL;
	for (unsigned i = 0; i < old->entry_count; i++) {
		const struct ust0_enum_entry *from = &old->entries[i];
		entries[i] = (struct ust1_enum_entry){
			.struct_size = sizeof(entries[i]),
			.start = { from->start.value, from->start.is_signed },
			.end = { from->end.value, from->end.is_signed },
			.string = from->string,
			.options = from->options,
		};
		pointers[i] = &entries[i];
	}
	return pointers;
}

static const struct ust1_enum_desc *new_enum_desc(const struct ust0_enum_desc *old, struct ust0_enums *enums)
{
	for (const struct ust0_enum_pair *known = enums->first; known; known = known->next)
		if (known->old == old)
			return known->new;
	const struct ust1_enum_entry *const *entries = new_entries(old);
	struct ust1_enum_desc *desc = ust0_forever(sizeof(*desc));
	struct ust0_enum_pair *pair = ust0_forever(sizeof(*pair));
	if (!entries || !desc || !pair)
		return NULL;
	*desc = (struct ust1_enum_desc){
		.struct_size = sizeof(*desc),
		.name = old->name,
		.entries = entries,
		.entry_count = old->entry_count,
		.probe_desc = enums->probe_desc,
	};
	*pair = (struct ust0_enum_pair){ old, desc, enums->first };
	enums->first = pair;
	return desc;
}

static const struct ust1_type_common *new_enum(const struct ust0_enum_desc *old, const struct ust0_integer *container,
					       struct ust0_enums *enums)
{
	struct ust1_enum *enumeration;
	NEW_TYPE(enumeration, UST1_ENUM);
	enumeration->desc = new_enum_desc(old, enums);
	enumeration->container = new_integer(container);
	return enumeration->desc && enumeration->container ? &enumeration->common : NULL;
}

static const struct ust1_type_common *new_basic(enum ust0_type kind, const union ust0_basic *old, struct ust0_enums *enums)
{
	switch (kind) {
	case UST0_INTEGER:
		return new_integer(&old->integer);
	case UST0_ENUM:
		return new_enum(old->enumeration.desc, &old->enumeration.container, enums);
	case UST0_STRING:
		return new_string(old->string.encoding);
	case UST0_FLOAT:
		return new_float(&old->floating);
	default:
		return NULL;
	}
}

static const struct ust1_type_common *new_element(const struct ust0_basic_type *old, struct ust0_enums *enums)
{
	return new_basic(old->kind, &old->basic, enums);
}

// In the 0-ABI the encoding of a text is that of its elements.
static int encoding_of(const struct ust0_basic_type *element)
{
	return element->kind == UST0_INTEGER ? element->basic.integer.encoding : 0;
}

static const struct ust1_type_common *new_array(const struct ust0_basic_type *element, unsigned length, struct ust0_enums *enums)
{
	struct ust1_array *array;
	NEW_TYPE(array, UST1_ARRAY);
	array->element = new_element(element, enums);
	array->length = length;
	array->encoding = encoding_of(element);
	return array->element ? &array->common : NULL;
}

static const struct ust1_type_common *new_sequence(const struct ust0_basic_type *element, struct ust0_enums *enums)
{
	struct ust1_sequence *sequence;
	NEW_TYPE(sequence, UST1_SEQUENCE);
	sequence->element = new_element(element, enums);
	sequence->encoding = encoding_of(element);
	return sequence->element ? &sequence->common : NULL;
}

static const struct ust1_type_common *new_struct(const struct ust0_field *fields, uint32_t count, struct ust0_enums *enums)
{
	struct ust1_struct *structure;
	size_t new_count;
	NEW_TYPE(structure, UST1_STRUCT);
	structure->fields = ust0_describe_fields(fields, count, enums, &new_count);
	structure->field_count = structure->fields ? (unsigned)new_count : 0;
	return structure->fields ? &structure->common : NULL;
}

static const struct ust1_type_common *new_type(const struct ust0_field_type *old, struct ust0_enums *enums)
{
	switch (old->kind) {
	case UST0_ARRAY:
		return new_array(&old->u.array.element, old->u.array.length, enums);
	case UST0_SEQUENCE:
		return new_sequence(&old->u.sequence.element, enums);
	case UST0_STRUCT:
		return new_struct(old->u.structure.fields, old->u.structure.field_count, enums);
	default:
		return new_basic(old->kind, &old->u.basic, enums);
	}
}

static const struct ust1_field *new_field(const char *name, const struct ust1_type_common *type, bool is_nowrite, bool is_nofilter)
{
	struct ust1_field *field = name && type ? ust0_forever(sizeof(*field)) : NULL;
	if (field)
		*field = (struct ust1_field){
			.struct_size = sizeof(*field),
			.name = name,
			.type = type,
			.is_nowrite = is_nowrite,
			.is_nofilter = is_nofilter,
		};
	return field;
}

// The field before a sequence, named as the macros of the 1-ABI name it.
static const struct ust1_field *new_length(const struct ust0_field *old, struct ust0_enums *enums)
{
	static const char format[] = "_%s_length";
	const size_t size = strlen(old->name) + sizeof(format);
	char *name = ust0_forever(size);
	if (name)
		snprintf(name, size, format, old->name);
	return new_field(name, new_element(&old->type.u.sequence.length, enums), old->is_nowrite, true);
}

const struct ust1_field *const *ust0_describe_fields(const struct ust0_field *old, size_t count, struct ust0_enums *enums,
						     size_t *new_count)
{
	const struct ust1_field **fields = ust0_forever((2 * count + 1) * sizeof(*fields));
	size_t end = 0;
	if (!fields)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (old[i].type.kind == UST0_SEQUENCE && !(fields[end++] = new_length(&old[i], enums)))
			return NULL;
		fields[end] = new_field(old[i].name, new_type(&old[i].type, enums), old[i].is_nowrite, false);
		if (!fields[end++])
			return NULL;
	}
	*new_count = end;
	return fields;
}
