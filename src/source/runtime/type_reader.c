// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/type_reader.h"

#include "base/index.h"
#include "base/text.h"
#include "decode/names/method_name.h"
#include "decode/names/type_full.h"
#include "nettop/clock.h"
#include "source/contract/contract_reader.h"

#include <poll.h>

static const nt_time patience_ns = NT_NS_PER_S;

struct work {
	struct nt_reader reader;
	struct nt_index place_of; /* of a type */
	nt_time until;
	size_t open; /* asked and not answered */
	void (*take)(void *context, size_t place, const char *name);
	void *context;
};

/* False: nothing more will come, or not in time. */
static bool wait_for_more(const struct work *work)
{
	nt_time now = nt_clock_now();
	struct pollfd from = { .fd = work->reader.child.fd, .events = POLLIN };
	return now < work->until && poll(&from, 1, (int)((work->until - now) / NT_NS_PER_MS) + 1) > 0;
}

static void take_name(struct work *work, const struct nt_reader_record *record)
{
	char raw[NT_METHOD_NAME_MAX], shown[NT_METHOD_NAME_MAX];
	uint32_t place = nt_index_get(&work->place_of, record->named.address);
	if (!work->open) /* it was not asked */
		return;
	work->open--;
	if (place == NT_INDEX_NONE || record->named.naming != NT_READER_NAME_TOLD)
		return;
	size_t safe = nt_text_escape(record->name, record->named.length, raw, sizeof(raw));
	nt_type_full_show((struct nt_slice){ raw, safe }, shown, sizeof(shown));
	work->take(work->context, place, shown);
}

/* Until all that was asked is answered. */
static bool hear(struct work *work)
{
	while (work->open) {
		struct nt_reader_record record;
		enum nt_status status = nt_reader_next(&work->reader, &record);
		if (status == NT_END || (status == NT_AGAIN && !wait_for_more(work)))
			return false;
		if (status == NT_OK && record.what == NT_READER_TYPED)
			take_name(work, &record);
		if (status == NT_OK && record.what == NT_READER_STATE && !record.state.names)
			return false;
	}
	return true;
}

void nt_type_reader_read(const struct nt_target *target, const uint64_t *types, size_t count,
			 void (*take)(void *context, size_t place, const char *name), void *context)
{
	static struct work work; /* large */
	work = (struct work){ .until = nt_clock_now() + patience_ns, .take = take, .context = context };
	if (nt_reader_start(&work.reader, target->proc_dir, (pid_t)target->pid, target->pidfd, nt_target_runtime_major(target), NULL) !=
	    NT_OK)
		return;
	for (size_t i = 0; i < count && i < NT_INDEX_NONE; i++)
		nt_index_put(&work.place_of, types[i], (uint32_t)i);
	for (size_t at = 0, asked; at < count; at += asked) {
		asked = work.open = count - at < NT_READER_NAMES ? count - at : NT_READER_NAMES;
		if (!nt_reader_type(&work.reader, types + at, asked) || !hear(&work))
			break;
	}
	nt_reader_end(&work.reader);
	nt_index_fini(&work.place_of);
}
