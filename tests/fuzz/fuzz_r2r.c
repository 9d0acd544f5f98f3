// SPDX-License-Identifier: GPL-2.0-only
/* Input: a precompiled image. Every method that it says it has is found, named (those of a composite image with the image's own metadata) and asked for its IL. */
#include "fuzz.h"

#include "decode/assembly/r2r_debug.h"
#include "decode/assembly/r2r_name.h"
#include "window.h"

enum { NAMED_MAX = 2000 };

static const struct nt_metadata *any_component(void *context, uint32_t number)
{
	const struct nt_r2r *r2r = context;
	FUZZ_CHECK(number < r2r->component_count);
	return number % 2 ? &r2r->metadata : NULL;
}

static void see_il(const struct nt_r2r *r2r, const struct nt_r2r_range *method)
{
	static uint32_t il[NT_IL_MAP_MAX], native[NT_IL_MAP_MAX];
	struct nt_il_map map;
	if (nt_r2r_il_map(r2r, method->function, il, native, &map))
		FUZZ_CHECK(map.count <= NT_IL_MAP_MAX);
}

static void see(struct nt_r2r *r2r)
{
	static struct nt_r2r_name name;
	const struct nt_r2r_components components = { .of = any_component, .context = r2r };
	struct nt_r2r_range method, found;
	unsigned named = 0;
	for (uint32_t number = 0; named < NAMED_MAX && nt_r2r_next(r2r, &number, &method); named++) {
		FUZZ_CHECK(method.owner != NT_R2R_CONTINUES);
		see_il(r2r, &method);
		if (method.begin < method.end) {
			FUZZ_CHECK(nt_r2r_find(r2r, method.begin, &found));
			FUZZ_CHECK(found.begin == method.begin && found.end == method.end && found.owner == method.owner);
		}
		if (nt_r2r_name(r2r, method.owner, &components, &name) == NT_R2R_NAMED)
			FUZZ_CHECK(name.length < sizeof(name.text) && name.text[name.length] == '\0' && strlen(name.text) <= name.length);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { .data = data, .size = size };
	struct nt_window *window = fuzz_window(&bytes);
	struct nt_pe pe;
	struct nt_r2r r2r;
	uint8_t mvid[16];
	char text[64];
	if (nt_pe_read(window, 0, &pe)) {
		if (nt_r2r_read(&pe, &r2r) == NT_R2R_READ) {
			see(&r2r);
			nt_r2r_component_name(&r2r, 0, text, sizeof(text));
			nt_r2r_component_mvid(&r2r, 0, mvid);
		}
		nt_r2r_fini(&r2r);
	}
	nt_window_free(window);
	return 0;
}
