// SPDX-License-Identifier: GPL-2.0-only
#include "source/export/symbol_images.h"

#include "base/alloc.h"
#include "base/text.h"
#include "decode/kernel/procfs_text.h"
#include "source/common/maps_text.h"
#include "source/decoder/decoder.h"
#include "source/decoder/decoder_process.h"
#include "source/image/image_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All images together; each is a few reads. */
#define TIMEOUT_NS (30 * NT_NS_PER_S)

void nt_symbol_images_fini(struct nt_symbol_images *images)
{
	for (size_t i = 0; i < images->count; i++) {
		free(images->items[i].path);
		free(images->items[i].shown);
		free(images->items[i].file);
	}
	free(images->items);
	*images = (struct nt_symbol_images){ 0 };
}

static bool is_known(const struct nt_symbol_images *images, const char *path, uint64_t inode)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i].inode == inode && strcmp(images->items[i].path, path) == 0)
			return true;
	return false;
}

/* What the decoder says of one. */
static void take(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	struct nt_symbol_images *images = context;
	struct nt_image_state state = { 0 };
	const char *path = request->of.image, *reason = reply->answer->text;
	nt_image_state_take(reply->table->letters, reply->table->letter_count, &state);
	if (!state.native && !*reason)
		return; /* another kind of file */
	struct nt_symbol_image image = { .path = nt_strdup(path),
					 .shown = nt_text_escaped(path, strlen(path)),
					 .inode = request->of.inode,
					 .build_id = state.build_id,
					 .state = state.build_id.length ? NT_SYMBOLS_MISSING : NT_SYMBOLS_NO_BUILD_ID };
	if (!state.native) {
		image.state = NT_SYMBOLS_UNREADABLE;
		snprintf(image.reason, sizeof(image.reason), "%.*s", (int)sizeof(image.reason) - 1, reason);
	} else if (state.symbols) {
		image.state = NT_SYMBOLS_OWN;
	} else if (state.debug_file && *reply->debug->path) {
		image.state = NT_SYMBOLS_DEBUG_FILE;
		image.file = nt_strdup(reply->debug->path);
		image.file_bytes = reply->debug->size;
	}
	images->items = nt_grow(images->items, &images->capacity, images->count + 1, sizeof(*images->items));
	images->items[images->count++] = image;
}

static void add_mapping(struct nt_symbol_images *images, struct nt_decoder *decoder, const struct nt_procfs_map *map)
{
	char *path = nt_format("%.*s", (int)map->path_length, map->path);
	const struct nt_decoder_request request = {
		.verb = NT_DECODE_STATE, .of = { .inode = map->inode, .map_start = map->start, .map_end = map->end, .image = path }
	};
	if (!is_known(images, path, map->inode))
		nt_decoder_ask(decoder, &request, 1, take, images);
	free(path);
}

static bool has_code(const struct nt_procfs_map *map)
{
	return map->exec && map->inode && map->path_length && map->path[0] == '/' && !map->shared;
}

/* False: it takes too long. */
static bool look_at_all(const struct nt_target *target, struct nt_hand *hand, const struct nt_maps_text *text,
			struct nt_symbol_images *images)
{
	const struct nt_files_target place = {
		.uid = target->uid, .proc_dir = target->proc_dir, .root_dir = target->root_dir, .image_dir = target->root_dir
	};
	struct nt_decoder *decoder = nt_decoder_new(&place, hand, NT_DECODER_WORD);
	nt_time deadline = nt_clock_now() + TIMEOUT_NS;
	struct nt_procfs_map map;
	bool valid, good = true;
	for (size_t at = 0, step; good && (step = nt_procfs_map_next(text->text + at, text->length - at, &map, &valid)); at += step) {
		if (valid && has_code(&map))
			add_mapping(images, decoder, &map);
		good = nt_clock_now() < deadline;
	}
	nt_decoder_free(decoder);
	return good;
}

enum nt_status nt_symbol_images_read(const struct nt_target *target, struct nt_symbol_images *out, struct nt_error *err)
{
	struct nt_hand *hand = nt_hand_new();
	struct nt_maps_text text = { 0 };
	char *path = nt_format("%s/maps", target->proc_dir);
	*out = (struct nt_symbol_images){ 0 };
	enum nt_status status = nt_maps_text_read(hand, path, TIMEOUT_NS, &text);
	if (status == NT_OK && !look_at_all(target, hand, &text, out)) {
		nt_symbol_images_fini(out);
		status = NT_ERR_TIMEOUT;
	}
	free(text.text);
	free(path);
	nt_hand_free(hand);
	if (status == NT_ERR_TIMEOUT)
		return nt_error_set(err, NT_ERR_TIMEOUT, "the files of process %u do not answer: look at the file systems it is on",
				    (unsigned)target->pid);
	if (status != NT_OK)
		return nt_error_errno(err, text.errnum == EACCES ? NT_ERR_FORBIDDEN : NT_ERR_GONE, text.errnum ? text.errnum : ESRCH,
				      "cannot read the mappings of process %u", (unsigned)target->pid);
	return NT_OK;
}
