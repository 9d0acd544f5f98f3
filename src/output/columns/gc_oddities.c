// SPDX-License-Identifier: GPL-2.0-only
/* What is odd about the settings of the collector: a table of rules, each with its sentence. A rule whose facts are not known holds not. */
#include "nettop/column.h"
#include "nettop/gc_settings.h"
#include "nettop/snapshot.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	MANY_CPUS = 4,
	OFTEN_PER_S = 5,       /* collections of gen0 and gen1 */
	MUCH_CONSERVATION = 7, /* of 9 */
	NUMBER = 32
};

struct facts {
	const struct nt_process_snapshot *process;
	struct nt_gc_setting_row rows[NT_GC_SETTING_COUNT];
	struct nt_u64 cpus;      /* that it may have at the same time: what it may run on, and its quota */
	struct nt_u64 container; /* its memory limit, bytes */
	unsigned major;          /* of the runtime; 0 = not known */
};

static const struct nt_gc_setting_row *row(const struct facts *facts, enum nt_gc_setting setting)
{
	return &facts->rows[setting];
}

static bool is(const struct facts *facts, enum nt_gc_setting setting, uint64_t value)
{
	const struct nt_u64 *has = &facts->rows[setting].value;
	return has->known && has->v == value;
}

static bool is_asked(const struct facts *facts, enum nt_gc_setting setting, uint64_t value)
{
	const struct nt_u64 *asked = &facts->rows[setting].asked;
	return asked->known && asked->v == value;
}

static bool is_server(const struct facts *facts)
{
	return is(facts, NT_GC_SETTING_SERVER, true);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* "512 MB", as a person writes it. */
static const char *size_of(uint64_t bytes, char text[NUMBER])
{
	return nt_format_bytes(bytes, text, NUMBER);
}

static bool workstation_on_many_cpus(const struct facts *facts, char *text)
{
	struct nt_u64 cpus = nt_gc_processors(facts->process);
	double per_s = facts->process->generations[0].per_s + facts->process->generations[1].per_s;
	if (!is(facts, NT_GC_SETTING_SERVER, false) || !cpus.known || cpus.v < MANY_CPUS || per_s < OFTEN_PER_S)
		return false;
	snprintf(text, NT_GC_SETTING_TEXT, "workstation GC on %" PRIu64 " CPUs: one thread collects, %.0f collections of gen0 and gen1/s",
		 cpus.v, per_s);
	return true;
}

static bool server_not_taken(const struct facts *facts, char *text)
{
	struct nt_u64 cpus = nt_gc_processors(facts->process);
	if (!is_asked(facts, NT_GC_SETTING_SERVER, true) || !is(facts, NT_GC_SETTING_SERVER, false))
		return false;
	snprintf(text, NT_GC_SETTING_TEXT, "server GC is asked for (%s), and it has workstation GC%s",
		 nt_gc_origin_name(row(facts, NT_GC_SETTING_SERVER)->asked_by),
		 cpus.known && cpus.v == 1 ? ": the runtime counts 1 CPU" : "");
	return true;
}

static bool heaps_not_taken(const struct facts *facts, char *text)
{
	const struct nt_gc_setting_row *heaps = row(facts, NT_GC_SETTING_HEAPS);
	if (!is_server(facts) || !heaps->asked.known || heaps->origin != NT_GC_BY_RUNTIME || heaps->value.v == heaps->asked.v)
		return false;
	snprintf(text, NT_GC_SETTING_TEXT, "%" PRIu64 " heap%s asked for (%s), and it has %" PRIu64, heaps->asked.v,
		 heaps->asked.v == 1 ? " is" : "s are", nt_gc_origin_name(heaps->asked_by), heaps->value.v);
	return true;
}

static bool heaps_beyond_cpus(const struct facts *facts, char *text)
{
	const struct nt_gc_setting_row *heaps = row(facts, NT_GC_SETTING_HEAPS);
	if (!heaps->value.known || !facts->cpus.known || heaps->value.v <= facts->cpus.v)
		return false;
	snprintf(text, NT_GC_SETTING_TEXT, "%" PRIu64 " heaps, each with a thread that collects, on %" PRIu64 " CPU%s", heaps->value.v,
		 facts->cpus.v, plural(facts->cpus.v));
	return true;
}

static bool processors_beyond_cpus(const struct facts *facts, char *text)
{
	const struct nt_gc_setting_row *processors = row(facts, NT_GC_SETTING_PROCESSORS);
	if (!processors->asked.known || !facts->cpus.known || processors->asked.v <= facts->cpus.v)
		return false;
	snprintf(text, NT_GC_SETTING_TEXT, "the runtime counts %" PRIu64 " CPUs (DOTNET_PROCESSOR_COUNT), and has %" PRIu64,
		 processors->asked.v, facts->cpus.v);
	return true;
}

/* A hard limit that is one, and a container that has one. */
static bool has_limits(const struct facts *facts)
{
	const struct nt_gc_setting_row *limit = row(facts, NT_GC_SETTING_HARD_LIMIT);
	return limit->value.known && limit->value.v && facts->container.known && facts->container.v;
}

static bool limit_of_container(const struct facts *facts, char *text)
{
	const struct nt_gc_settings *settings = &facts->process->gc_settings;
	char limit[NUMBER], container[NUMBER];
	if (!has_limits(facts) || row(facts, NT_GC_SETTING_HARD_LIMIT)->value.v > facts->container.v)
		return false;
	uint64_t bytes = row(facts, NT_GC_SETTING_HARD_LIMIT)->value.v;
	bool asked = row(facts, NT_GC_SETTING_HARD_LIMIT)->asked.known || row(facts, NT_GC_SETTING_HARD_LIMIT_PCT)->asked.known;
	bool known = asked || (settings->read[NT_GC_BY_ENVIRONMENT] && settings->read[NT_GC_BY_FILE]);
	snprintf(text, NT_GC_SETTING_TEXT, "hard limit %s, %.0f %% of the container's %s%s", size_of(bytes, limit),
		 100.0 * (double)bytes / (double)facts->container.v, size_of(facts->container.v, container),
		 !known  ? ""
		 : asked ? ": asked for"
			 : ": the runtime's default");
	return true;
}

static bool limit_above_container(const struct facts *facts, char *text)
{
	char limit[NUMBER], container[NUMBER];
	if (!has_limits(facts) || row(facts, NT_GC_SETTING_HARD_LIMIT)->value.v <= facts->container.v)
		return false;
	snprintf(text, NT_GC_SETTING_TEXT, "hard limit %s, more than the container's %s: it is killed before the GC comes to it",
		 size_of(row(facts, NT_GC_SETTING_HARD_LIMIT)->value.v, limit), size_of(facts->container.v, container));
	return true;
}

static bool concurrent_off(const struct facts *facts, char *text)
{
	if (!is(facts, NT_GC_SETTING_CONCURRENT, false))
		return false;
	snprintf(text, NT_GC_SETTING_TEXT, "concurrent GC is off: each collection of gen2 is one pause");
	return true;
}

static bool conserves_much(const struct facts *facts, char *text)
{
	const struct nt_u64 *level = &row(facts, NT_GC_SETTING_CONSERVE)->value;
	if (!level->known || level->v < MUCH_CONSERVATION)
		return false;
	snprintf(text, NT_GC_SETTING_TEXT,
		 "conserve memory %" PRIu64 " of 9: the heap is compacted for little free space, in longer pauses", level->v);
	return true;
}

static bool retains_in_container(const struct facts *facts, char *text)
{
	char container[NUMBER];
	if (!is(facts, NT_GC_SETTING_RETAIN_VM, true) || !facts->container.known)
		return false;
	snprintf(text, NT_GC_SETTING_TEXT,
		 "retain VM is on: memory that the GC does not need stays with the process, of the container's %s",
		 size_of(facts->container.v, container));
	return true;
}

static bool datas_unlike_default(const struct facts *facts, char *text)
{
	enum { ON_BY_DEFAULT = 9 };
	const struct nt_gc_setting_row *datas = row(facts, NT_GC_SETTING_DATAS);
	if (!is_server(facts) || !datas->value.known || !facts->major || (facts->major >= ON_BY_DEFAULT) == (datas->value.v != 0))
		return false;
	if (datas->value.v)
		snprintf(text, NT_GC_SETTING_TEXT, "DATAS is on: .NET %u has it off unless asked for", facts->major);
	else
		snprintf(text, NT_GC_SETTING_TEXT,
			 "DATAS is off, on by default in .NET %u: the heaps stay as many as they are, whatever lives%s", facts->major,
			 row(facts, NT_GC_SETTING_HEAPS)->asked.known ? " (their number is asked for)" : "");
	return true;
}

/* The runtime has another value than was asked for. */
static bool not_taken(const struct facts *facts, char *text)
{
	static const enum nt_gc_setting told[] = { NT_GC_SETTING_HARD_LIMIT, NT_GC_SETTING_LOH_THRESHOLD, NT_GC_SETTING_CONCURRENT };
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		const struct nt_gc_setting_row *one = row(facts, told[i]);
		char has[NUMBER];
		if (!one->asked.known || one->origin != NT_GC_BY_RUNTIME || one->asked.v == one->value.v)
			continue;
		snprintf(text, NT_GC_SETTING_TEXT, "%s %" PRIu64 " is asked for (%s), and it has %s", one->title, one->asked.v,
			 nt_gc_origin_name(one->asked_by), nt_gc_setting_value(one, has, sizeof(has)));
		return true;
	}
	return false;
}

static const struct {
	const char *key;
	bool (*holds)(const struct facts *facts, char *text);
} rules[NT_GC_ODDITIES] = {
	{ "workstation_on_many_cpus", workstation_on_many_cpus },
	{ "server_not_taken", server_not_taken },
	{ "heaps_not_taken", heaps_not_taken },
	{ "heaps_beyond_cpus", heaps_beyond_cpus },
	{ "processors_beyond_cpus", processors_beyond_cpus },
	{ "hard_limit_of_container", limit_of_container },
	{ "hard_limit_above_container", limit_above_container },
	{ "concurrent_off", concurrent_off },
	{ "conserves_much", conserves_much },
	{ "retains_in_container", retains_in_container },
	{ "datas_unlike_default", datas_unlike_default },
	{ "not_taken", not_taken },
};

size_t nt_gc_oddities(const struct nt_process_snapshot *process, struct nt_gc_oddity oddities[NT_GC_ODDITIES])
{
	struct facts facts = { .process = process, .cpus = nt_gc_cpus(process), .container = nt_gc_container_bytes(process) };
	facts.major = nt_gc_runtime_major(process);
	nt_gc_setting_rows(process, facts.rows);
	size_t count = 0;
	for (size_t i = 0; i < NT_GC_ODDITIES; i++) {
		oddities[count].key = rules[i].key;
		count += rules[i].holds(&facts, oddities[count].text);
	}
	return count;
}
