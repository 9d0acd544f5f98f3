// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_layout.h"

#include "base/hash.h"
#include "decode/contract/contract_nine.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	enum nt_contract_feature feature;
	const char *name;
	unsigned least, most;
} contracts[] = {
#define CONTRACT(feature_, name_, least_, most_) { NT_CONTRACT_##feature_, name_, least_, most_ },
#include "decode/contract/contract_layout.def"
};

static const struct {
	enum nt_contract_feature feature;
	const char *type, *field, *both;
} fields[NT_LAYOUT_FIELDS] = {
#define FIELD(feature_, id_, type_, field_) { NT_CONTRACT_##feature_, type_, field_, type_ "." field_ },
#define SIZE(feature_, id_, type_)          { NT_CONTRACT_##feature_, type_, "!", type_ },
#include "decode/contract/contract_layout.def"
};

static const struct {
	enum nt_contract_feature feature;
	const char *name;
} globals[NT_LAYOUT_GLOBALS] = {
#define GLOBAL(feature_, id_, name_) { NT_CONTRACT_##feature_, name_ },
#include "decode/contract/contract_layout.def"
};

static void lack(struct nt_layout *layout, enum nt_contract_feature feature, const char *what)
{
	layout->has[feature] = false;
	if (!layout->lacks[feature])
		layout->lacks[feature] = what;
}

/* A whole number that is written as one, or as a text of hexadecimal digits behind 0x. */
static bool number(const json_t *value, uint64_t *out)
{
	if (json_is_integer(value)) {
		json_int_t integer = json_integer_value(value);
		*out = (uint64_t)integer;
		return integer >= 0;
	}
	const char *text = json_string_value(value);
	if (!text || strncmp(text, "0x", 2) != 0)
		return false;
	char *end;
	*out = strtoull(text + 2, &end, 16);
	return text[2] && !*end;
}

/* 8, or [8, "type"]. */
static bool offset(const json_t *value, uint32_t *out)
{
	uint64_t said;
	if (json_is_array(value))
		value = json_array_get(value, 0);
	if (!number(value, &said) || said > NT_LAYOUT_OFFSET_MAX)
		return false;
	*out = (uint32_t)said;
	return true;
}

/* ["0x10", "type"], or [[3], "type"]: the fourth of the pointers beside. */
static bool global(const json_t *value, const struct nt_descriptor *descriptor, uint64_t *out)
{
	const json_t *said = json_is_array(value) ? json_array_get(value, 0) : value;
	if (!json_is_array(said))
		return number(said, out);
	uint64_t place;
	if (!number(json_array_get(said, 0), &place) || place >= descriptor->pointer_count)
		return false;
	*out = descriptor->pointers[place];
	return true;
}

static void read_contracts(const json_t *root, bool nine, struct nt_layout *out)
{
	for (size_t i = 0; i < sizeof(contracts) / sizeof(contracts[0]); i++) {
		uint64_t version;
		if (!number(json_object_get(json_object_get(root, "contracts"), contracts[i].name), &version) &&
		    !(nine && nt_contract_nine_version(contracts[i].feature, &version)))
			version = 0;
		if (version < contracts[i].least || version > contracts[i].most)
			lack(out, contracts[i].feature, contracts[i].name);
		else if (contracts[i].feature == NT_CONTRACT_CODE)
			out->code_map_version = (unsigned)version;
	}
}

/* Only machines for which the rest is known. */
static bool is_of_this_machine(const json_t *root)
{
	const json_t *value = json_object_get(json_object_get(root, "globals"), "Architecture");
	const char *name = json_string_value(json_is_array(value) ? json_array_get(value, 0) : value);
	return !name || strcmp(name, "x64") == 0; /* .NET 9 does not say */
}

void nt_layout_prepare(void)
{
	json_object_seed(nt_hash_secret[0] | 1); /* left to itself it opens a file for that */
}

bool nt_layout_read(const struct nt_descriptor *descriptor, struct nt_layout *out)
{
	*out = (struct nt_layout){ 0 };
	size_t length = strnlen(descriptor->json, descriptor->length);
	json_t *root = json_loadb(descriptor->json, length, 0, NULL);
	bool is_one = json_is_object(root) && json_is_object(json_object_get(root, "types")) && is_of_this_machine(root);
	for (unsigned i = 0; i < NT_CONTRACT_FEATURES; i++)
		out->has[i] = is_one;
	if (is_one) {
		const json_t *types = json_object_get(root, "types");
		bool nine = descriptor->code_ranges && nt_contract_is_nine(root);
		read_contracts(root, nine, out);
		for (unsigned i = 0; i < NT_LAYOUT_FIELDS; i++)
			if (!offset(json_object_get(json_object_get(types, fields[i].type), fields[i].field), &out->offsets[i]) &&
			    !(nine && nt_contract_nine_offset(i, &out->offsets[i])))
				lack(out, fields[i].feature, fields[i].both);
		for (unsigned i = 0; i < NT_LAYOUT_GLOBALS; i++)
			if (!global(json_object_get(json_object_get(root, "globals"), globals[i].name), descriptor, &out->globals[i]) &&
			    !(nine && nt_contract_nine_global(i, descriptor->code_ranges, &out->globals[i])))
				lack(out, globals[i].feature, globals[i].name);
	}
	json_decref(root);
	return is_one;
}
