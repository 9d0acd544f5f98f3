// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/gc_settings.h"

#include "nettop/column.h"
#include "nettop/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What the runtime takes where nobody says anything (gcconfig.h); of its own limit in a container at least so much. */
enum { LOH_BYTES = 85000, LIMIT_LEAST_BYTES = 20 << 20 };

static const struct {
	const char *key, *title, *help;
	enum nt_gc_unit unit;
} described[NT_GC_SETTING_COUNT] = {
#define SETTING(name_, key_, title_, unit_, variable_, property_, help_) { key_, title_, help_, NT_GC_UNIT_##unit_ },
#include "nettop/gc_settings.def"
};

static const struct nt_u64 unknown;

const char *nt_gc_origin_name(enum nt_gc_origin origin)
{
	static const char *const names[NT_GC_ORIGIN_COUNT] = { NULL, "environment", "runtimeconfig", "runtime", "default" };
	return origin < NT_GC_ORIGIN_COUNT ? names[origin] : NULL;
}

/* Of the newest collection that told it. */
static struct nt_u64 heaps_of(const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->collection_count; i++)
		if (process->collections[i]->heap_count.known)
			return process->collections[i]->heap_count;
	return unknown;
}

/* What the runtime says, or shows. */
static struct nt_u64 told_of(const struct nt_process_snapshot *process, enum nt_gc_setting setting)
{
	switch (setting) {
	case NT_GC_SETTING_SERVER:
		return process->target.server_gc;
	case NT_GC_SETTING_HEAPS:
		return heaps_of(process);
	default:
		return process->gc_settings.told[setting];
	}
}

/* In a container three quarters of its memory. Without one there is none, but that there is no container nobody knows for certain. */
static struct nt_u64 limit_by_default(const struct nt_process_snapshot *process)
{
	struct nt_u64 container = nt_gc_container_bytes(process);
	if (process->gc_settings.asked[NT_GC_SETTING_HARD_LIMIT_PCT].known || !container.known)
		return unknown;
	uint64_t share = container.v / 4 * 3;
	return nt_u64_of(share > LIMIT_LEAST_BYTES ? share : LIMIT_LEAST_BYTES);
}

unsigned nt_gc_runtime_major(const struct nt_process_snapshot *process)
{
	const char *runtime = process->target.runtime;
	return runtime ? (unsigned)strtoul(runtime, NULL, 10) : 0;
}

/* On from .NET 9 on. Where somebody says how many heaps there shall be .NET 10 has it off; of .NET 9 that is not known, which still calls it on. Workstation GC has one heap. */
static struct nt_u64 datas_by_default(const struct nt_process_snapshot *process)
{
	const struct nt_target_info *target = &process->target;
	enum { FIRST_MAJOR = 9 };
	unsigned major = nt_gc_runtime_major(process);
	bool heaps_asked = process->gc_settings.asked[NT_GC_SETTING_HEAPS].known;
	if (!target->server_gc.known || !target->server_gc.v || !major || (major == FIRST_MAJOR && heaps_asked))
		return unknown;
	return nt_u64_of(major >= FIRST_MAJOR && !heaps_asked);
}

static struct nt_u64 default_of(const struct nt_process_snapshot *process, enum nt_gc_setting setting)
{
	const struct nt_gc_settings *settings = &process->gc_settings;
	if (setting == NT_GC_SETTING_PROCESSORS)
		return nt_gc_processors(process);
	if (setting == NT_GC_SETTING_HEAPS)
		return process->target.server_gc.known && !process->target.server_gc.v ? nt_u64_of(1) : unknown;
	if (!settings->read[NT_GC_BY_ENVIRONMENT] || !settings->read[NT_GC_BY_FILE])
		return unknown;
	switch (setting) {
	case NT_GC_SETTING_CONCURRENT:
		return nt_u64_of(true);
	case NT_GC_SETTING_DATAS:
		return datas_by_default(process);
	case NT_GC_SETTING_HARD_LIMIT:
		return limit_by_default(process);
	case NT_GC_SETTING_LOH_THRESHOLD:
		return nt_u64_of(LOH_BYTES);
	case NT_GC_SETTING_CONSERVE:
	case NT_GC_SETTING_RETAIN_VM:
		return nt_u64_of(0);
	case NT_GC_SETTING_NO_AFFINITIZE:
		return process->target.server_gc.known && process->target.server_gc.v ? nt_u64_of(0) : unknown;
	default: /* it depends on the machine, or nobody has it unless it is asked for */
		return unknown;
	}
}

/* A collector that was asked for need not be what the process has: that is known only from the runtime. */
static bool holds_as_asked(const struct nt_process_snapshot *process, enum nt_gc_setting setting)
{
	const struct nt_target_info *target = &process->target;
	if (setting == NT_GC_SETTING_DATAS)
		return target->server_gc.known && target->server_gc.v && !process->gc_settings.asked[NT_GC_SETTING_HEAPS].known;
	return setting != NT_GC_SETTING_SERVER && setting != NT_GC_SETTING_HEAPS;
}

static void fill_value(const struct nt_process_snapshot *process, enum nt_gc_setting setting, struct nt_gc_setting_row *row)
{
	struct nt_u64 told = told_of(process, setting), fallback = default_of(process, setting);
	if (told.known) {
		row->value = told;
		row->origin = NT_GC_BY_RUNTIME;
	} else if (row->asked.known && holds_as_asked(process, setting)) {
		row->value = row->asked;
		row->origin = row->asked_by;
	} else if (fallback.known) {
		row->value = fallback;
		row->origin = NT_GC_BY_DEFAULT;
	}
}

void nt_gc_setting_rows(const struct nt_process_snapshot *process, struct nt_gc_setting_row rows[NT_GC_SETTING_COUNT])
{
	const struct nt_gc_settings *settings = &process->gc_settings;
	for (enum nt_gc_setting i = 0; i < NT_GC_SETTING_COUNT; i++) {
		rows[i] = (struct nt_gc_setting_row){ .key = described[i].key,
						      .title = described[i].title,
						      .help = described[i].help,
						      .unit = described[i].unit,
						      .asked = settings->asked[i],
						      .asked_by = (enum nt_gc_origin)settings->asked_by[i] };
		fill_value(process, i, &rows[i]);
	}
}

const char *nt_gc_setting_value(const struct nt_gc_setting_row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (!row->value.known)
		return text;
	switch (row->unit) {
	case NT_GC_UNIT_SWITCH:
		snprintf(text, size, "%s", row->value.v ? "on" : "off");
		break;
	case NT_GC_UNIT_PERCENT:
		snprintf(text, size, "%" PRIu64 "%%", row->value.v);
		break;
	case NT_GC_UNIT_BYTES:
		if (row->value.v)
			nt_format_bytes(row->value.v, text, size);
		else
			snprintf(text, size, "none");
		break;
	default:
		snprintf(text, size, "%" PRIu64, row->value.v);
	}
	return text;
}
