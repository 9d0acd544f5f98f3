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

void nt_resolve_managed(struct nt_resolver *resolver, nt_text_ref text, enum nt_code_kind kind, const char *image, struct nt_resolved *out)
{
	const struct nt_line_name *name = nt_lines_name(&resolver->lines, text);
	if (kind == NT_CODE_JIT)
		kind = name->kind; /* a jitdump has precompiled methods, too */
	struct nt_key key = { .name = name->name,
			      .raw_name = name->raw_name,
			      .module = name->module ? name->module : image,
			      .kind = kind,
			      .naming = kind == NT_CODE_STUB ? NT_NAMING_STUB : NT_NAMING_NAMED };
	out->key = nt_keys_intern(&resolver->keys, &key);
	out->tier = name->tier;
	out->reusable = name->module == resolver->dynamic;
}
