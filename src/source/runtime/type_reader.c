// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/type_reader.h"

#include "base/index.h"
#include "base/text.h"
#include "decode/names/method_name.h"
#include "decode/names/type_full.h"
#include "nettop/clock.h"
#include "source/contract/contract_reader.h"

#include <poll.h>
#include <string.h>

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

/* In the words of C#. */
static void show_type(const char *name, size_t length, char shown[NT_METHOD_NAME_MAX])
{
	char raw[NT_METHOD_NAME_MAX];
	size_t safe = nt_text_escape(name, length, raw, sizeof(raw));
	nt_type_full_show((struct nt_slice){ raw, safe }, shown, NT_METHOD_NAME_MAX);
}

static void take_name(struct work *work, const struct nt_reader_record *record)
{
	char shown[NT_METHOD_NAME_MAX];
	uint32_t place = nt_index_get(&work->place_of, record->named.address);
	if (!work->open) /* it was not asked */
		return;
	work->open--;
	if (place == NT_INDEX_NONE || record->named.naming != NT_READER_NAME_TOLD)
		return;
	show_type(record->name, record->named.length, shown);
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

static bool begin(struct work *work, const struct nt_target *target)
{
	return nt_reader_start(&work->reader, target->proc_dir, (pid_t)target->pid, target->pidfd, nt_target_runtime_major(target), NULL) ==
	       NT_OK;
}

static void end(struct work *work)
{
	nt_reader_end(&work->reader);
	nt_index_fini(&work->place_of);
}

void nt_type_reader_read(const struct nt_target *target, const uint64_t *types, size_t count,
			 void (*take)(void *context, size_t place, const char *name), void *context)
{
	static struct work work; /* large */
	work = (struct work){ .until = nt_clock_now() + patience_ns, .take = take, .context = context };
	if (!begin(&work, target))
		return;
	for (size_t i = 0; i < count && i < NT_INDEX_NONE; i++)
		nt_index_put(&work.place_of, types[i], (uint32_t)i);
	for (size_t at = 0, asked; at < count; at += asked) {
		asked = work.open = count - at < NT_READER_NAMES ? count - at : NT_READER_NAMES;
		if (!nt_reader_type(&work.reader, types + at, asked) || !hear(&work))
			break;
	}
	end(&work);
}

/* ---- static fields ---- */

/* Its field's name is at the end: what the runtime itself calls the field at that address is the same, or it is another one by now. */
static void take_static(struct work *work, const struct nt_static_slot *slots, const struct nt_reader_record *record)
{
	char shown[NT_METHOD_NAME_MAX];
	uint32_t place = nt_index_get(&work->place_of, record->named.address);
	if (place == NT_INDEX_NONE)
		return;
	size_t field = strlen(slots[place].field), length = record->named.length;
	if (length < field + 2 || memcmp(record->name + length - field, slots[place].field, field) != 0 ||
	    record->name[length - field - 1] != '.' || record->name[0] == '?')
		return;
	show_type(record->name, length - field - 1, shown);
	work->take(work->context, place, shown);
}

/* Until the module's last one is told. */
static bool hear_statics(struct work *work, const struct nt_static_slot *slots)
{
	for (;;) {
		struct nt_reader_record record;
		enum nt_status status = nt_reader_next(&work->reader, &record);
		if (status == NT_END || (status == NT_AGAIN && !wait_for_more(work)))
			return false;
		if (status == NT_OK && record.what == NT_READER_STATIC)
			take_static(work, slots, &record);
		if (status == NT_OK && record.what == NT_READER_END)
			return true;
	}
}

void nt_type_reader_statics(const struct nt_target *target, const uint64_t *modules, size_t module_count,
			    const struct nt_static_slot *slots, size_t count, void (*take)(void *context, size_t place, const char *type),
			    void *context)
{
	static struct work work;
	uint64_t addresses[NT_READER_NAMES];
	work = (struct work){ .until = nt_clock_now() + patience_ns, .take = take, .context = context };
	if (!count || !begin(&work, target))
		return;
	for (size_t i = 0; i < count && i < NT_INDEX_NONE; i++)
		nt_index_put(&work.place_of, slots[i].address, (uint32_t)i);
	bool there = true;
	for (size_t at = 0, asked; at < count && there; at += asked) {
		asked = count - at < NT_READER_NAMES ? count - at : NT_READER_NAMES;
		for (size_t i = 0; i < asked; i++)
			addresses[i] = slots[at + i].address;
		for (size_t i = 0; i < module_count && there; i++)
			there = nt_reader_statics(&work.reader, modules[i], addresses, asked) && hear_statics(&work, slots);
	}
	end(&work);
}
