// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/symbols_json.h"

#include "output/frame/json_value.h"

/* Stable. */
static const char *const state_keys[NT_SYMBOL_STATE_COUNT] = {
	[NT_SYMBOLS_OWN] = "own",
	[NT_SYMBOLS_DEBUG_FILE] = "debug_file",
	[NT_SYMBOLS_MISSING] = "missing",
	[NT_SYMBOLS_NO_BUILD_ID] = "no_build_id",
	[NT_SYMBOLS_UNREADABLE] = "unreadable",
	[NT_SYMBOLS_FETCHED] = "fetched",
	[NT_SYMBOLS_ABSENT] = "absent",
	[NT_SYMBOLS_FAILED] = "failed",
};

static json_t *server_array(const struct nt_symbol_servers *servers)
{
	json_t *list = json_array();
	for (size_t i = 0; i < servers->count; i++)
		json_array_append_new(list, nt_json_text(servers->items[i].url));
	return list;
}

static json_t *image_object(const struct nt_symbol_image *image)
{
	char id[NT_BUILD_ID_TEXT];
	json_t *object = json_object();
	json_object_set_new(object, "path", nt_json_text(image->shown));
	json_object_set_new(object, "build_id", nt_json_text_if_any(nt_build_id_text(&image->build_id, id)));
	json_object_set_new(object, "state", nt_json_text(state_keys[image->state]));
	json_object_set_new(object, "file", nt_json_text_if_any(image->file));
	json_object_set_new(object, "file_bytes", image->file ? json_integer((json_int_t)image->file_bytes) : json_null());
	json_object_set_new(object, "reason", nt_json_text_if_any(image->reason));
	return object;
}

void nt_symbols_print_json(const struct nt_target *target, const struct nt_symbol_servers *servers, const struct nt_symbol_images *images,
			   FILE *out)
{
	json_t *object = json_object(), *list = json_array();
	for (size_t i = 0; i < images->count; i++)
		json_array_append_new(list, image_object(&images->items[i]));
	json_object_set_new(object, "type", nt_json_text("symbols"));
	json_object_set_new(object, "schema", json_integer(1));
	json_object_set_new(object, "pid", json_integer(target->pid));
	json_object_set_new(object, "servers", server_array(servers));
	json_object_set_new(object, "images", list);
	json_dumpf(object, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(object);
}
