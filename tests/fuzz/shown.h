/* SPDX-License-Identifier: GPL-2.0-only */
/* What nettop says of a model, read back: JSON that is JSON, with no text in it that a terminal would obey. */
#ifndef NT_TESTS_FUZZ_SHOWN_H
#define NT_TESTS_FUZZ_SHOWN_H

#include "base/text.h"
#include "nettop/model.h"
#include "output/frame/json.h"

#include <jansson.h>

static inline void fuzz_check_text(const char *text, size_t length)
{
	uint32_t code;
	for (size_t at = 0, used; at < length; at += used) {
		used = nt_utf8_decode(text + at, length - at, &code);
		FUZZ_CHECK(!nt_text_is_control(code));
	}
}

static inline void fuzz_check_json(const json_t *json)
{
	const char *key;
	const json_t *member;
	size_t index;
	if (json_is_string(json))
		fuzz_check_text(json_string_value(json), json_string_length(json));
	if (json_is_array(json))
		json_array_foreach(json, index, member) fuzz_check_json(member);
	if (json_is_object(json))
		for (void *at = json_object_iter((json_t *)(uintptr_t)json); at;
		     at = json_object_iter_next((json_t *)(uintptr_t)json, at)) {
			key = json_object_iter_key(at);
			fuzz_check_text(key, strlen(key));
			fuzz_check_json(json_object_iter_value(at));
		}
}

/* Releases it. */
static inline void fuzz_check_shown(struct nt_snapshot *snapshot)
{
	const struct nt_json_options options = { .top = 20, .replay_equal = -1 };
	char *line = snapshot ? nt_json_line(snapshot, &options) : NULL;
	if (line) {
		json_t *read = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
		FUZZ_CHECK(read && json_is_object(read) && !strchr(line, '\n'));
		fuzz_check_json(read);
		json_decref(read);
	}
	free(line);
	nt_snapshot_release(snapshot);
}

#endif
