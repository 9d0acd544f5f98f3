// SPDX-License-Identifier: GPL-2.0-only
/* Writes doc/EVENTS.md from src/decode/clr/clr_events.def to standard output. */
#include "decode/clr/clr.h"
#include "decode/eventpipe/clr_over_lttng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const wire_names[] = {
	[NT_WIRE_U8] = "u8",   [NT_WIRE_U16] = "u16", [NT_WIRE_U32] = "u32",   [NT_WIRE_I32] = "i32", [NT_WIRE_U64] = "u64",
	[NT_WIRE_F64] = "f64", [NT_WIRE_PTR] = "ptr", [NT_WIRE_BOOL] = "bool", [NT_WIRE_STR] = "str", [NT_WIRE_REST] = "array",
};

/* Versions of one event lie side by side in the table, oldest first. */
struct event {
	size_t first, count;
};

static const struct nt_clr_desc *version(const struct event *event, size_t index)
{
	return nt_clr_at_index(event->first + index);
}

static const struct nt_clr_desc *newest(const struct event *event)
{
	return version(event, event->count - 1);
}

static struct event event_at(size_t first)
{
	struct event event = { first, 1 };
	const struct nt_clr_desc *desc = nt_clr_at_index(first), *next;
	while ((next = nt_clr_at_index(first + event.count)) && strcmp(next->base, desc->base) == 0)
		event.count++;
	return event;
}

static const struct nt_clr_field *find(const struct nt_clr_desc *desc, const struct nt_clr_field *like)
{
	int index = nt_clr_field_index(desc, like->name);
	return index >= 0 && desc->fields[index].wire == like->wire ? &desc->fields[index] : NULL;
}

static void print_versions(const struct event *event, const struct nt_clr_field *field)
{
	const char *separator = "";
	for (size_t i = 0; i < event->count; i++)
		if (find(version(event, i), field)) {
			printf("%s%u", separator, version(event, i)->version);
			separator = ", ";
		}
}

static void print_destination(const struct nt_clr_field *field)
{
	if (field->action == NT_CLR_TYPE || field->action == NT_CLR_METHOD)
		printf("part of the display name");
	else if (field->action == NT_CLR_GENERATIONS)
		printf("by generation, or summed up over all, in `%s`", field->member);
	else if (field->member)
		printf("`%s`", field->member);
}

/* Of a text: whether it may be null. One that nobody has examined must not get into the table. */
static void print_null(const struct event *event, const struct nt_clr_field *field)
{
	static const char *const words[] = { [NT_CLR_NULL_NEVER] = "never",
					     [NT_CLR_NULL_ENDS] = "**ends the program over LTTng**",
					     [NT_CLR_NULL_LEFT_OUT] = "left out of the payload" };
	const char *why;
	enum nt_clr_null null = nt_clr_null_text(newest(event)->base, field->name, &why);
	if (field->wire != NT_WIRE_STR)
		return;
	if (!null) {
		fprintf(stderr, "%s.%s: may it be null? Say so at the end of src/decode/clr/clr_events.def\n", newest(event)->base,
			field->name);
		exit(1);
	}
	printf("%s%s%s", words[null], *why ? ": " : "", why);
}

static void print_field(const struct event *event, const struct nt_clr_field *field)
{
	printf("| %s | %s | ", field->name, wire_names[field->wire]);
	print_versions(event, field);
	printf(" | ");
	print_destination(field);
	printf(" | ");
	print_null(event, field);
	printf(" |\n");
}

/* Those of the newest version first, in payload order; then what only older versions have. */
static void print_fields(const struct event *event)
{
	printf("| field | type | versions | goes to | null |\n|---|---|---|---|---|\n");
	for (size_t back = 0; back < event->count; back++) {
		const struct nt_clr_desc *desc = version(event, event->count - 1 - back);
		for (unsigned i = 0; i < desc->field_count; i++) {
			bool printed = false;
			for (size_t later = 0; later < back; later++)
				printed |= find(version(event, event->count - 1 - later), &desc->fields[i]) != NULL;
			if (!printed)
				print_field(event, &desc->fields[i]);
		}
	}
}

static void print_names(const struct event *event)
{
	for (size_t i = 0; i < event->count; i++)
		printf("%s`%s`%s", i ? ", " : "", version(event, i)->name, version(event, i)->packed_over_lttng ? " (packed)" : "");
}

static void print_event(const struct event *event)
{
	const struct nt_clr_desc *desc = newest(event);
	printf("\n### %s\n\nid %u; ", desc->base, desc->id);
	print_names(event);
	if (desc->kind == NT_EV_NONE)
		printf("; not kept.\n");
	else
		printf("; becomes `%s`", nt_event_kind_name((enum nt_event_kind)desc->kind));
	if (desc->constant_member)
		printf(" with `%s` = %u", desc->constant_member, desc->constant_value);
	if (desc->kind != NT_EV_NONE)
		printf(".\n");
	if (!desc->field_count)
		return;
	printf("\n");
	print_fields(event);
}

static void print_summary(void)
{
	printf("| event | id | versions | becomes |\n|---|---|---|---|\n");
	for (size_t i = 0; nt_clr_at_index(i);) {
		struct event event = event_at(i);
		const struct nt_clr_desc *desc = newest(&event);
		printf("| %s | %u | ", desc->base, desc->id);
		for (size_t v = 0; v < event.count; v++)
			printf("%s%u", v ? ", " : "", version(&event, v)->version);
		printf(" | %s |\n", desc->kind == NT_EV_NONE ? "not kept" : nt_event_kind_name((enum nt_event_kind)desc->kind));
		i += event.count;
	}
}

static void print_those(enum nt_over_lttng verdict, const char *title)
{
	printf("%s", title);
	for (size_t i = 0, count = 0; i < nt_clr_shape_count; i++)
		if (nt_clr_shape_over_lttng(&nt_clr_shapes[i]) == verdict)
			printf("%s%s", count++ ? ", " : "", nt_clr_shapes[i].name);
	printf(".\n\n");
}

/* What nettop events -e lttng/... may enable: the code that decides says it. */
static void print_over_lttng(void)
{
	printf("\n## By name over LTTng\n\n"
	       "`nettop events -e 'lttng/GC*'` enables events one by one, each by its own name and versions. What has no text has none "
	       "that could be null; a "
	       "text counts as harmless when its \"null\" column says so. Whatever else has one is left out, and said to be.\n\n"
	       "`EventSource`, which carries the events of the program's EventSources as JSON when it was started with "
	       "`DOTNET_EnableEventLog=1`, is among "
	       "those: `EventSource.Write(null)` has a name that is null, and with that tracepoint enabled the process ends there (seen on "
	       ".NET 10, over "
	       "nettop's bridge and LTTng's own library; `tests/live/test_events_lttng.py`). Over EventPipe the same events come with "
	       "fields, and without harm.\n\n");
	print_those(NT_OVER_LTTNG_MAY, "Enabled: ");
	print_those(NT_OVER_LTTNG_ENDS, "Left out, because a text may be null, which ends the process: ");
	print_those(NT_OVER_LTTNG_ACTS, "Left out, because the runtime collects, or lists all it has, to tell them: ");
	print_those(NT_OVER_LTTNG_FLOODS,
		    "Left out, because they come only together with others that would be far too many (`GCJoin`, `SetGCHandle`): ");
}

int main(void)
{
	printf("<!-- Made from src/decode/clr/clr_events.def by `make doc/EVENTS.md`: change that, not this. -->\n"
	       "# Events of the runtime\n\n"
	       "What nettop knows of the events of provider `%s` (over LTTng: `%s`). \"Goes to\" names a member of the\n"
	       "union in `struct nt_event` (include/nettop/event.h, where units and meanings are said); an empty cell: read over.\n\n"
	       "Over LTTng an event has its fields one by one, or, where \"packed\" is said, two: `length` and `__data__`, the bytes of "
	       "all\n"
	       "fields one after the other. EventPipe and user_events always carry the packed bytes. There `str` is UTF-16 with a NUL, "
	       "`ptr` 8\n"
	       "bytes, `bool` 4 bytes, everything little endian without padding; `array` goes to the end of the payload.\n\n"
	       "\"Null\": what becomes of a text that the runtime hands over as null, by its sources. Of an event that is not packed "
	       "LTTng's side of the\n"
	       "runtime measures the text first, which ends the program: `ExceptionThrown` is enabled over LTTng by no option of nettop, "
	       "and its\n"
	       "bridge passes it on to nobody. EventPipe writes the four letters `NULL` in its place.\n\n"
	       "A version that is newer than all listed is read as the newest listed one. Events that are not listed are counted as "
	       "unknown.\n\n",
	       NT_CLR_PROVIDER, NT_CLR_LTTNG_PROVIDER);
	print_summary();
	for (size_t i = 0; nt_clr_at_index(i);) {
		struct event event = event_at(i);
		print_event(&event);
		i += event.count;
	}
	print_over_lttng();
	return 0;
}
