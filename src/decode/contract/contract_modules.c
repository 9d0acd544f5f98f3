// SPDX-License-Identifier: GPL-2.0-only
#include "decode/contract/contract_modules.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum {
	ID_BYTES = 16,
	MODULES_MAX = 4096, /* kept; then all are forgotten */
	LAYOUT_MAPPED = 1,  /* PEImageLayout::FLAG_MAPPED; else it is as in the file */
};
#define IMAGE_BYTES_MAX (UINT32_C(1) << 30)

/* Where metadata lie. */
struct place {
	uint64_t base;
	uint32_t size;
	bool image;  /* with the headers of a file around them */
	bool mapped; /* as these lay them out */
};

struct nt_contract_module {
	struct nt_contract *contract;
	struct place place;
	struct nt_window *window; /* owned */
	struct nt_metadata metadata;
	bool has_id;
	uint8_t id[ID_BYTES]; /* of what was compiled: another one's metadata may lie at the same place, and be of the same size */
	uint64_t id_at;       /* its address */
};

static void end_module(struct nt_contract_module *module)
{
	nt_window_free(module->window);
	free(module);
}

void nt_contract_modules_fini(struct nt_contract_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		end_module(modules->items[i]);
	free(modules->items);
	nt_index_fini(&modules->places);
	*modules = (struct nt_contract_modules){ .contract = modules->contract };
}

void nt_contract_modules_rest(struct nt_contract_modules *modules)
{
	for (size_t i = 0; i < modules->count; i++)
		nt_window_rest(modules->items[i]->window);
}

static bool read_window(void *context, uint64_t offset, void *buf, size_t size)
{
	const struct nt_contract_module *module = context;
	return nt_memory_read(module->contract->memory, module->place.base + offset, buf, size);
}

/* What the program emitted is a copy of its own, which the runtime renews; else there is an image. */
static bool find(const struct nt_contract *contract, uint64_t module, struct place *out)
{
	bool bad = false;
	*out = (struct place){ 0 };
	uint64_t made = nt_contract_u64(contract, module, NT_OFF_MODULE_MADE, &bad);
	if (made) {
		out->base = nt_contract_place(contract, made, NT_OFF_MADE_DATA);
		out->size = nt_contract_u32(contract, made, NT_OFF_MADE_SIZE, &bad);
	} else {
		uint64_t file = nt_contract_u64(contract, module, NT_OFF_MODULE_FILE, &bad);
		uint64_t image = nt_contract_u64(contract, file, NT_OFF_FILE_IMAGE, &bad);
		uint64_t layout = nt_contract_u64(contract, image, NT_OFF_IMAGE_LAYOUT, &bad);
		out->base = nt_contract_u64(contract, layout, NT_OFF_LAYOUT_BASE, &bad);
		out->size = nt_contract_u32(contract, layout, NT_OFF_LAYOUT_SIZE, &bad);
		out->mapped = nt_contract_u32(contract, layout, NT_OFF_LAYOUT_FLAGS, &bad) & LAYOUT_MAPPED;
		out->image = true;
	}
	return !bad && out->base < NT_ADDRESS_LIMIT && out->size && out->size <= IMAGE_BYTES_MAX;
}

static bool is_at(const struct nt_contract_module *module, const struct place *place)
{
	uint8_t id[ID_BYTES];
	if (module->place.base != place->base || module->place.size != place->size || module->place.mapped != place->mapped)
		return false;
	return !module->has_id ||
	       (nt_memory_read(module->contract->memory, module->id_at, id, sizeof(id)) && memcmp(id, module->id, sizeof(id)) == 0);
}

static void note_id(struct nt_contract_module *module)
{
	uint32_t index;
	module->has_id = nt_metadata_mvid(&module->metadata, module->id) &&
			 nt_metadata_cell(&module->metadata, NT_TABLE_MODULE, 1, NT_MODULE_MVID, &index);
	if (module->has_id)
		module->id_at = module->place.base + module->metadata.guids.offset + (uint64_t)(index - 1) * ID_BYTES;
}

static bool read_metadata(struct nt_contract_module *module)
{
	struct nt_pe pe;
	if (!module->place.image)
		return nt_metadata_read(module->window, 0, module->place.size, &module->metadata);
	return (module->place.mapped ? nt_pe_read_mapped(module->window, &pe) : nt_pe_read(module->window, 0, &pe)) &&
	       nt_metadata_of(&pe, &module->metadata);
}

static struct nt_contract_module *open_module(struct nt_contract *contract, const struct place *place)
{
	struct nt_contract_module *module = nt_alloc(sizeof(*module));
	const struct nt_window_source source = { .read = read_window, .context = module, .size = place->size, .by_page = true };
	module->contract = contract;
	module->place = *place;
	module->window = nt_window_new(&source);
	if (read_metadata(module)) {
		note_id(module);
		return module;
	}
	end_module(module);
	return NULL;
}

const struct nt_metadata *nt_contract_metadata(struct nt_contract_modules *modules, uint64_t address)
{
	struct place place;
	if (!find(modules->contract, address, &place))
		return NULL;
	uint32_t known = nt_index_get(&modules->places, address);
	if (known != NT_INDEX_NONE && is_at(modules->items[known], &place))
		return &modules->items[known]->metadata;
	struct nt_contract_module *module = open_module(modules->contract, &place);
	if (!module)
		return NULL;
	if (known != NT_INDEX_NONE) { /* others lie at the same place now */
		end_module(modules->items[known]);
		modules->items[known] = module;
		return &module->metadata;
	}
	if (modules->count == MODULES_MAX)
		nt_contract_modules_fini(modules);
	modules->items = nt_grow(modules->items, &modules->capacity, modules->count + 1, sizeof(struct nt_contract_module *));
	nt_index_put(&modules->places, address, (uint32_t)modules->count);
	modules->items[modules->count++] = module;
	return &module->metadata;
}
