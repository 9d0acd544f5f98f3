// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_form.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* The runtime's packed form over LTTng: one sequence of bytes with this name (and its length beside it). */
#define PACKED_FIELD "__data__"

enum { PACKED_BYTES_MAX = 1 << 20 };

static int find_member(const bt_field_class *structure, const char *name)
{
	uint64_t count = structure ? nt_bt.field_class_structure_get_member_count(structure) : 0;
	for (uint64_t i = 0; i < count; i++) {
		const bt_field_class_structure_member *member = nt_bt.field_class_structure_borrow_member_by_index_const(structure, i);
		if (strcmp(nt_bt.field_class_structure_member_get_name(member), name) == 0)
			return (int)i;
	}
	return -1;
}

static int find_told(const struct nt_clr_shape *shape, const char *name)
{
	for (uint32_t i = 0; shape && i < shape->field_count; i++)
		if (strcmp(shape->fields[i].name, name) == 0)
			return (int)i;
	return -1;
}

static void find_fields(struct nt_lttng_form *form, const bt_field_class *payload)
{
	form->member_count = payload ? nt_bt.field_class_structure_get_member_count(payload) : 0;
	form->value_of = nt_alloc(form->member_count * sizeof(*form->value_of));
	form->told_of = nt_alloc(form->member_count * sizeof(*form->told_of));
	for (uint64_t i = 0; i < form->member_count; i++) {
		const bt_field_class_structure_member *member = nt_bt.field_class_structure_borrow_member_by_index_const(payload, i);
		const char *name = nt_bt.field_class_structure_member_get_name(member);
		form->value_of[i] = form->desc ? nt_clr_field_index(form->desc, name) : -1;
		form->told_of[i] = find_told(form->shape, name);
	}
}

static struct nt_lttng_form *new_form(const bt_event_class *class)
{
	struct nt_lttng_form *form = nt_alloc(sizeof(*form));
	const char *name = nt_bt.event_class_get_name(class);
	nt_bt.event_class_get_ref(class);
	form->class = class;
	form->name = nt_strdup(name ? name : "");
	form->desc = nt_clr_by_lttng_name(form->name);
	const bt_field_class *context =
		nt_bt.stream_class_borrow_event_common_context_field_class_const(nt_bt.event_class_borrow_stream_class_const(class));
	form->vpid = find_member(context, "vpid");
	form->vtid = find_member(context, "vtid");
	form->pid_ns = find_member(context, "pid_ns");
	form->procname = find_member(context, "procname");
	const bt_field_class *payload = nt_bt.event_class_borrow_payload_field_class_const(class);
	form->packed = find_member(payload, PACKED_FIELD);
	form->shape = nt_clr_shape_by_lttng_name(form->name);
	if (form->desc || form->shape)
		find_fields(form, payload);
	return form;
}

struct nt_lttng_form *nt_lttng_form_of(struct nt_lttng_form **forms, const bt_event_class *class, bool *is_new)
{
	struct nt_lttng_form *form;
	HASH_FIND_PTR(*forms, &class, form);
	*is_new = !form;
	if (!form) {
		form = new_form(class);
		HASH_ADD_PTR(*forms, class, form);
	}
	return form;
}

void nt_lttng_forms_free(struct nt_lttng_form *forms)
{
	struct nt_lttng_form *form, *next;
	HASH_ITER(hh, forms, form, next)
	{
		HASH_DEL(forms, form);
		nt_bt.event_class_put_ref(form->class);
		free(form->value_of);
		free(form->told_of);
		free(form->name);
		free(form);
	}
}

static bool integer_of(const bt_field *field, uint64_t *value)
{
	bt_field_class_type type = nt_bt.field_get_class_type(field);
	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		*value = nt_bt.field_integer_unsigned_get_value(field);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
		*value = (uint64_t)nt_bt.field_integer_signed_get_value(field);
	else
		return false;
	return true;
}

bool nt_lttng_member_integer(const bt_field *structure, int member, uint64_t *value)
{
	return structure && member >= 0 &&
	       integer_of(nt_bt.field_structure_borrow_member_field_by_index_const(structure, (uint64_t)member), value);
}

void nt_lttng_value_of(const bt_field *field, struct nt_clr_value *value)
{
	bt_field_class_type type = nt_bt.field_get_class_type(field);
	uint64_t integer;
	if (integer_of(field, &integer))
		nt_clr_set_integer(value, integer);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_STRING))
		nt_clr_set_utf8(value, nt_bt.field_string_get_value(field), nt_bt.field_string_get_length(field));
	else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
		nt_clr_set_real(value, (double)nt_bt.field_real_single_precision_get_value(field));
	else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
		nt_clr_set_real(value, nt_bt.field_real_double_precision_get_value(field));
	/* Arrays of structures do not come as members: the runtime packs such events. */
}

/* The bytes of an array of integers. All elements are of one class, which is asked for once: such arrays are long, and each question is a call of the library. */
static bool copy_bytes(const bt_field *array, uint64_t length, uint8_t *bytes)
{
	uint64_t first;
	if (!length)
		return true;
	const bt_field *element = nt_bt.field_array_borrow_element_field_by_index_const(array, 0);
	if (!integer_of(element, &first))
		return false;
	bool is_signed = bt_field_class_type_is(nt_bt.field_get_class_type(element), BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);
	for (uint64_t i = 0; i < length; i++) {
		element = nt_bt.field_array_borrow_element_field_by_index_const(array, i);
		bytes[i] = (uint8_t)(is_signed ? (uint64_t)nt_bt.field_integer_signed_get_value(element)
					       : nt_bt.field_integer_unsigned_get_value(element));
	}
	return true;
}

enum nt_status nt_lttng_form_packed(const struct nt_lttng_form *form, const bt_field *payload, struct nt_lttng_scratch *scratch,
				    size_t *out)
{
	const bt_field *array = nt_bt.field_structure_borrow_member_field_by_index_const(payload, (uint64_t)form->packed);
	if (!bt_field_class_type_is(nt_bt.field_get_class_type(array), BT_FIELD_CLASS_TYPE_ARRAY))
		return NT_ERR_MALFORMED;
	uint64_t length = nt_bt.field_array_get_length(array);
	if (length > PACKED_BYTES_MAX)
		return NT_ERR_MALFORMED;
	scratch->bytes = nt_grow(scratch->bytes, &scratch->capacity, length + 1, 1);
	*out = length;
	return copy_bytes(array, length, scratch->bytes) ? NT_OK : NT_ERR_MALFORMED;
}

static enum nt_status unpack(const struct nt_lttng_form *form, const bt_field *payload, struct nt_lttng_scratch *scratch,
			     struct nt_clr_value *values)
{
	size_t length;
	enum nt_status status = nt_lttng_form_packed(form, payload, scratch, &length);
	return status == NT_OK ? nt_clr_values_from_packed(form->desc, scratch->bytes, length, values) : status;
}

enum nt_status nt_lttng_form_values(const struct nt_lttng_form *form, const bt_event *event, struct nt_lttng_scratch *scratch,
				    struct nt_clr_value values[NT_CLR_FIELDS_MAX])
{
	nt_clr_values_clear(form->desc, values);
	const bt_field *payload = nt_bt.event_borrow_payload_field_const(event);
	if (!payload)
		return NT_OK;
	if (form->packed >= 0)
		return unpack(form, payload, scratch, values);
	for (uint64_t i = 0; i < form->member_count; i++)
		if (form->value_of[i] >= 0)
			nt_lttng_value_of(nt_bt.field_structure_borrow_member_field_by_index_const(payload, i), &values[form->value_of[i]]);
	return NT_OK;
}
