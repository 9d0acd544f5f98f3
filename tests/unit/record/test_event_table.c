// SPDX-License-Identifier: GPL-2.0-only
/* The table of the fields of events against what the compiler says of struct nt_event, in this program's own debug information: no member of any payload is missing in it. */
#include "tests/unit/debug_types.h"

#include "base/event_fields.h"

enum { MOST_PARTS = 64 };

/* So that the compiler tells of it. */
struct nt_event *event;

/* Numbers of a payload, by where they lie and how large they are; elements of arrays each by itself. */
struct parts {
	struct part {
		size_t at, size;
	} all[MOST_PARTS];
	size_t count;
};

static void add(struct parts *parts, size_t at, size_t size)
{
	assert_true(parts->count < MOST_PARTS);
	parts->all[parts->count++] = (struct part){ .at = at, .size = size };
}

static void gather(Dwarf_Die type, size_t at, struct parts *parts)
{
	Dwarf_Die part, of;
	switch (dwarf_tag(&type)) {
	case DW_TAG_array_type:
		assert_true(type_of(&type, &of));
		for (size_t i = 0; i < size_of(&type); i += size_of(&of))
			gather(of, at + i, parts);
		break;
	case DW_TAG_structure_type:
		assert_int_equal(dwarf_child(&type, &part), 0);
		do
			if (dwarf_tag(&part) == DW_TAG_member && type_of(&part, &of))
				gather(of, at + place_of(&part), parts);
		while (dwarf_siblingof(&part, &part) == 0);
		break;
	default:
		add(parts, at, size_of(&type));
	}
}

static bool has(const struct parts *parts, size_t at, size_t size)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->all[i].at == at && parts->all[i].size == size)
			return true;
	return false;
}

static bool are_equal(const struct parts *a, const struct parts *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!has(b, a->all[i].at, a->all[i].size))
			return false;
	return a->count == b->count;
}

static size_t size_of_field(const struct nt_event_field *field)
{
	switch ((enum nt_event_field_type)field->type) {
	case NT_EVENT_FIELD_BOOL:
		return sizeof(bool);
	case NT_EVENT_FIELD_U64:
	case NT_EVENT_FIELD_HEX:
	case NT_EVENT_FIELD_F64:
	case NT_EVENT_FIELD_TIME:
	case NT_EVENT_FIELD_U64S:
		return sizeof(uint64_t);
	default:
		return sizeof(uint32_t);
	}
}

/* Those of the table for a kind that has that payload, counted from its begin. */
static struct parts parts_of_kind(unsigned kind, const char *payload)
{
	struct parts parts = { .count = 0 };
	for (size_t i = 0; i < nt_event_field_count; i++) {
		const struct nt_event_field *field = &nt_event_fields[i];
		size_t size = size_of_field(field);
		for (size_t n = 0; field->kind == kind && strcmp(field->payload, payload) == 0 && n < field->count; n++)
			add(&parts, field->offset - offsetof(struct nt_event, u) + n * size, size);
	}
	return parts;
}

static void find_union(struct debug_types *types, Dwarf_Die *found)
{
	Dwarf_Die whole, part;
	assert_true(find_struct(types, "nt_event", &whole));
	assert_int_equal(dwarf_child(&whole, &part), 0);
	do
		if (strcmp(dwarf_diename(&part), "u") == 0)
			break;
	while (dwarf_siblingof(&part, &part) == 0);
	assert_true(type_of(&part, found));
}

static void every_member_of_every_payload_is_in_the_table(void **state)
{
	(void)state;
	struct debug_types types = debug_types_of_this_program();
	Dwarf_Die all, payload, type;
	size_t count = 0;
	find_union(&types, &all);
	assert_int_equal(dwarf_child(&all, &payload), 0);
	do {
		struct parts wanted = { .count = 0 };
		size_t kinds = 0;
		assert_true(type_of(&payload, &type));
		gather(type, 0, &wanted);
		for (unsigned kind = 0; kind < NT_EV_LIMIT; kind++) {
			const struct parts there = parts_of_kind(kind, dwarf_diename(&payload));
			if (there.count && !are_equal(&there, &wanted))
				fail_msg("%s: src/base/event_fields.c has not all members of struct %s",
					 nt_event_kind_name((enum nt_event_kind)kind), dwarf_diename(&type));
			kinds += there.count != 0;
		}
		if (!kinds)
			fail_msg("struct %s: no kind has it in src/base/event_fields.c", dwarf_diename(&type));
		count++;
	} while (dwarf_siblingof(&payload, &payload) == 0);
	debug_types_fini(&types);
	assert_true(count > 70);
}

/* A kind has one payload, which is whole by the test above. */
static void no_kind_has_two_payloads(void **state)
{
	(void)state;
	for (size_t i = 1; i < nt_event_field_count; i++)
		if (nt_event_fields[i].kind == nt_event_fields[i - 1].kind)
			assert_string_equal(nt_event_fields[i].payload, nt_event_fields[i - 1].payload);
}

/* They are in recordings: 1, 2, 3 ... in each kind, and kinds are not torn apart. */
static void numbers_rise_by_one(void **state)
{
	(void)state;
	bool seen[NT_EV_LIMIT] = { false };
	for (size_t i = 0; i < nt_event_field_count; i++) {
		bool follows = i && nt_event_fields[i - 1].kind == nt_event_fields[i].kind;
		assert_int_equal(nt_event_fields[i].number, follows ? nt_event_fields[i - 1].number + 1 : 1);
		assert_true(follows || !seen[nt_event_fields[i].kind]);
		seen[nt_event_fields[i].kind] = true;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_member_of_every_payload_is_in_the_table),
		cmocka_unit_test(no_kind_has_two_payloads),
		cmocka_unit_test(numbers_rise_by_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
