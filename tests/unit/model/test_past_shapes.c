// SPDX-License-Identifier: GPL-2.0-only
/* The shapes of a snapshot against what the compiler says of its structs, in this program's own debug information: no pointer is missing, and each leads to what it says. */
#include "build.h"

#include "model/past/row_shapes.h"
#include "nettop/process_row.h"
#include "nettop/snapshot.h"

#include "tests/unit/debug_types.h"

/* So that the compiler tells of all of them. */
struct nt_snapshot *whole;
struct nt_process_row *listed;

enum { MOST_POINTERS = 512 };

struct pointers {
	size_t at[MOST_POINTERS];
	Dwarf_Die to[MOST_POINTERS]; /* what each points to */
	bool seen[MOST_POINTERS];
	size_t count;
};

static void gather(Dwarf_Die type, size_t at, struct pointers *pointers);

static void gather_array(Dwarf_Die *type, size_t at, struct pointers *pointers)
{
	Dwarf_Die element;
	assert_true(type_of(type, &element));
	size_t each = size_of(&element), all = size_of(type);
	for (size_t i = 0; each && i < all; i += each)
		gather(element, at + i, pointers);
}

static void gather_members(Dwarf_Die *type, size_t at, struct pointers *pointers)
{
	Dwarf_Die member, of;
	if (dwarf_child(type, &member) != 0)
		return;
	do {
		if (dwarf_tag(&member) == DW_TAG_member && type_of(&member, &of))
			gather(of, at + place_of(&member), pointers);
	} while (dwarf_siblingof(&member, &member) == 0);
}

static void gather(Dwarf_Die type, size_t at, struct pointers *pointers)
{
	switch (dwarf_tag(&type)) {
	case DW_TAG_pointer_type:
		assert_true(pointers->count < MOST_POINTERS);
		pointers->at[pointers->count] = at;
		if (!type_of(&type, &pointers->to[pointers->count]))
			pointers->to[pointers->count] = type; /* void: it stays the pointer */
		pointers->count++;
		break;
	case DW_TAG_array_type:
		gather_array(&type, at, pointers);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		gather_members(&type, at, pointers);
		break;
	default:
		break;
	}
}

static size_t find(struct pointers *pointers, size_t at, const char *name)
{
	for (size_t i = 0; i < pointers->count; i++)
		if (pointers->at[i] == at && !pointers->seen[i]) {
			pointers->seen[i] = true;
			return i;
		}
	fail_msg("struct %s: there is no pointer at %zu, or it is named twice", name, at);
	return 0;
}

static void check(const struct nt_shape *shape, Dwarf_Die type);

static void check_parts(const struct nt_shape *shape, size_t at, const char *name, struct pointers *pointers)
{
	for (size_t i = 0; i < shape->part_count; i++) {
		const struct nt_part *part = &shape->parts[i];
		if (part->kind == NT_PART_INSIDE) {
			for (size_t n = 0; n < part->count; n++)
				check_parts(part->of, at + part->at + n * part->of->size, name, pointers);
			continue;
		}
		size_t texts = part->kind == NT_PART_TEXT ? part->count : 1;
		for (size_t n = 0; n < texts; n++) {
			size_t found = find(pointers, at + part->at + n * sizeof(char *), name);
			Dwarf_Die to = pointers->to[found];
			if (part->kind == NT_PART_TEXT)
				assert_int_equal(size_of(&to), 1);
			if (part->kind == NT_PART_REFS)
				assert_true(dwarf_tag(&to) == DW_TAG_pointer_type && type_of(&to, &to));
			if (part->of)
				check(part->of, to);
		}
	}
}

/* What a figure is predicted from stands before it, and in the same row. */
static void check_predictions(const struct nt_shape *shape)
{
	for (size_t i = 0; i < shape->prediction_count; i++) {
		const struct nt_prediction *prediction = &shape->predictions[i];
		assert_true(prediction->at + prediction->size <= shape->size);
		if (prediction->kind == NT_PREDICT_MOVED)
			assert_true(prediction->other && prediction->other < prediction->size);
		else
			assert_true(prediction->size == sizeof(uint64_t) && prediction->other + sizeof(uint64_t) <= prediction->at);
	}
}

static void check(const struct nt_shape *shape, Dwarf_Die type)
{
	struct pointers *pointers = calloc(1, sizeof(*pointers));
	const char *name = dwarf_diename(&type);
	if (shape->name)
		assert_string_equal(name, shape->name);
	if (size_of(&type) != shape->size)
		fail_msg("struct %s has %zu bytes, its shape %zu", name, size_of(&type), shape->size);
	check_predictions(shape);
	gather(type, 0, pointers);
	check_parts(shape, 0, name, pointers);
	for (size_t i = 0; i < pointers->count; i++)
		if (!pointers->seen[i])
			fail_msg("struct %s: the pointer at %zu (gdb: ptype /o struct %s) is not in its shape: src/model/past", name,
				 pointers->at[i], name);
	free(pointers);
}

static void every_pointer_of_a_snapshot_has_its_part(void **state)
{
	(void)state;
	Dwarf_Die type;
	struct debug_types types = debug_types_of_this_program();
	assert_true(find_struct(&types, nt_snapshot_shape.name, &type));
	check(&nt_snapshot_shape, type);
	debug_types_fini(&types);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_pointer_of_a_snapshot_has_its_part) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
