// SPDX-License-Identifier: GPL-2.0-only
/* The shapes of a snapshot against what the compiler says of its structs, in this program's own debug information: no pointer is missing, and each leads to what it says. */
#include "build.h"

#include "model/past/row_shapes.h"
#include "nettop/process_row.h"
#include "nettop/snapshot.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

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

static Dwarf_Die under(Dwarf_Die die)
{
	Dwarf_Attribute attribute;
	Dwarf_Die type;
	for (;;) {
		int tag = dwarf_tag(&die);
		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type)
			return die;
		if (!dwarf_attr(&die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, &type)) /* const void */
			return die;
		die = type;
	}
}

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	if (!dwarf_attr(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
		return false;
	*type = under(*type);
	return true;
}

static size_t size_of(Dwarf_Die *type)
{
	Dwarf_Word size;
	return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

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
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	if (dwarf_child(type, &member) != 0)
		return;
	do {
		if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &of))
			continue;
		bool told = dwarf_attr(&member, DW_AT_data_member_location, &attribute) && dwarf_formudata(&attribute, &offset) == 0;
		gather(of, at + (told ? offset : 0), pointers);
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

/* Is it the struct of that name, and not only a word about it? */
static bool find_struct(Dwarf *dwarf, const char *name, Dwarf_Die *found)
{
	Dwarf_Off offset = 0, next;
	size_t header;
	while (dwarf_nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
		Dwarf_Die unit, die;
		if (dwarf_offdie(dwarf, offset + header, &unit) && dwarf_child(&unit, &die) == 0)
			do {
				const char *of = dwarf_diename(&die);
				if (dwarf_tag(&die) == DW_TAG_structure_type && of && strcmp(of, name) == 0 && dwarf_haschildren(&die)) {
					*found = die;
					return true;
				}
			} while (dwarf_siblingof(&die, &die) == 0);
		offset = next;
	}
	return false;
}

static void every_pointer_of_a_snapshot_has_its_part(void **state)
{
	(void)state;
	Dwarf_Die type;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	assert_non_null(dwarf);
	assert_true(find_struct(dwarf, nt_snapshot_shape.name, &type));
	check(&nt_snapshot_shape, type);
	dwarf_end(dwarf);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_pointer_of_a_snapshot_has_its_part) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
