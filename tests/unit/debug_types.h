/* SPDX-License-Identifier: GPL-2.0-only */
/* What the compiler says of a program's own structs, in its debug information. */
#ifndef NT_TESTS_DEBUG_TYPES_H
#define NT_TESTS_DEBUG_TYPES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct debug_types {
	int fd;
	Dwarf *dwarf;
};

static inline struct debug_types debug_types_of_this_program(void)
{
	struct debug_types types = { .fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC) };
	assert_true(types.fd >= 0);
	types.dwarf = dwarf_begin(types.fd, DWARF_C_READ);
	assert_non_null(types.dwarf);
	return types;
}

static inline void debug_types_fini(struct debug_types *types)
{
	dwarf_end(types->dwarf);
	close(types->fd);
}

/* The type behind typedefs and const. */
static inline Dwarf_Die under(Dwarf_Die die)
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

static inline bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	if (!dwarf_attr(die, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, type))
		return false;
	*type = under(*type);
	return true;
}

static inline size_t size_of(Dwarf_Die *type)
{
	Dwarf_Word size;
	return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

/* Where a member lies in its struct. */
static inline size_t place_of(Dwarf_Die *member)
{
	Dwarf_Attribute attribute;
	Dwarf_Word offset;
	bool told = dwarf_attr(member, DW_AT_data_member_location, &attribute) && dwarf_formudata(&attribute, &offset) == 0;
	return told ? offset : 0;
}

/* Is it the struct of that name, and not only a word about it? */
static inline bool find_struct(const struct debug_types *types, const char *name, Dwarf_Die *found)
{
	Dwarf_Off offset = 0, next;
	size_t header;
	while (dwarf_nextcu(types->dwarf, offset, &next, &header, NULL, NULL, NULL) == 0) {
		Dwarf_Die unit, die;
		if (dwarf_offdie(types->dwarf, offset + header, &unit) && dwarf_child(&unit, &die) == 0)
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

#endif
