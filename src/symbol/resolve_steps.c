// SPDX-License-Identifier: GPL-2.0-only
/* What generated code and all other code need alike, to be looked up. */
#include "symbol/resolve_steps.h"

uint32_t nt_resolve_key(struct nt_resolver *resolver, enum nt_code_kind kind, const char *name, const char *module, struct nt_unnamed why)
{
	const char *words = why.text ? why.text : nt_naming_entry(why.naming)->words;
	struct nt_key key = { .name = name, .module = module, .reason = *words ? words : NULL, .kind = kind, .naming = why.naming };
	return nt_keys_intern(&resolver->keys, &key);
}

bool nt_resolve_want_place(struct nt_resolver *resolver, uint32_t image, const struct nt_place *place)
{
	if (nt_images_find(&resolver->images, image, place->offset).found)
		return false;
	nt_images_want(&resolver->images, image, place);
	return true;
}
