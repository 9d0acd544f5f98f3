// SPDX-License-Identifier: MIT
#ifndef UST0_DESCRIBE_FIELDS_H
#define UST0_DESCRIBE_FIELDS_H

#include "ust0.h"
#include "ust1.h"

// The enumerations of a provider: two fields of one enumeration must refer to one description of it.
struct ust0_enums {
	const struct ust1_probe_desc *probe_desc;
	struct ust0_enum_pair *first;
};

/*
 * Fields in the 1-ABI: an array of pointers, kept for ever. A sequence becomes two fields, its length and its elements, so `*new_count` may exceed `count`. NULL when
 * out of memory or when there is a type that the 0-ABI does not have.
 */
const struct ust1_field *const *ust0_describe_fields(const struct ust0_field *old, size_t count, struct ust0_enums *enums,
						     size_t *new_count);

#endif
