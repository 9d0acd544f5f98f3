// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/provider_choice.h"

#include "base/name_list.h"
#include "base/text.h"
#include "nettop/counter_providers.h"

#include <stdio.h>
#include <string.h>

/* The runtime's own counters stand first; it has a line of its own, because nobody can leave it out. */
static const char runtime[] = "System.Runtime";

static const char *what_it_is(const struct nt_counter_provider *provider)
{
	if (provider->requests && !provider->source)
		return "always: requests (R) are of it";
	if (provider->requests)
		return "EventCounters; its Meter stays, for R";
	return provider->source && provider->meter ? "EventCounters, and a Meter" : provider->source ? "EventCounters" : "a Meter";
}

/* The n-th name that is not one to leave out. */
static bool named_at(const struct nt_ui *ui, size_t n, char *out, size_t size)
{
	const char *rest = ui->counters, *name;
	for (size_t length; (length = nt_name_list_next(&rest, &name));)
		if (*name != '-' && n-- == 0) {
			snprintf(out, size, "%.*s", (int)length, name);
			return true;
		}
	return false;
}

/* As the list has one that is left out. */
struct word {
	char text[NT_PROMPT_BYTES + 2];
};

static struct word left_out(const char *name)
{
	struct word word;
	snprintf(word.text, sizeof(word.text), "-%.*s", NT_PROMPT_BYTES, name);
	return word;
}

size_t nt_provider_count(const struct nt_ui *ui)
{
	char name[NT_PROVIDER_BYTES];
	size_t named = 0;
	while (named_at(ui, named, name, sizeof(name)))
		named++;
	return 1 + NT_COUNTER_PROVIDERS + named + 1;
}

void nt_provider_at(const struct nt_ui *ui, size_t index, struct nt_provider_line *out)
{
	char name[NT_PROVIDER_BYTES];
	*out = (struct nt_provider_line){ .on = true, .says = "named: EventCounters, or a Meter" };
	if (index == 0) {
		snprintf(out->name, sizeof(out->name), "%s", runtime);
		out->fixed = true;
		out->says = "always: the tiles are of it";
	} else if (index <= NT_COUNTER_PROVIDERS) {
		const struct nt_counter_provider *provider = &nt_counter_providers[index - 1];
		snprintf(out->name, sizeof(out->name), "%s", provider->name);
		out->fixed = provider->requests && !provider->source;
		out->on = out->fixed || !nt_name_list_has(ui->counters, left_out(provider->name).text);
		out->says = what_it_is(provider);
	} else if (named_at(ui, index - 1 - NT_COUNTER_PROVIDERS, name, sizeof(name))) {
		nt_text_escape(name, strlen(name), out->name, sizeof(out->name));
	} else {
		snprintf(out->name, sizeof(out->name), "another ...");
		out->on = false;
		out->is_another = true;
		out->says = "any EventSource or Meter, by name";
	}
}

bool nt_provider_turned(const struct nt_ui *ui, size_t index, char *out, size_t size)
{
	struct nt_provider_line line;
	char name[NT_PROVIDER_BYTES];
	nt_provider_at(ui, index, &line);
	if (line.fixed) {
		snprintf(out, size, "%s is always asked for: other screens are told by it", line.name);
		return false;
	}
	snprintf(out, size, "%s", ui->counters);
	if (index > NT_COUNTER_PROVIDERS) {
		named_at(ui, index - 1 - NT_COUNTER_PROVIDERS, name, sizeof(name));
		nt_name_list_remove(out, name);
		return true;
	}
	const struct word word = left_out(line.name);
	if (!line.on)
		nt_name_list_remove(out, word.text);
	else if (!nt_name_list_add(out, size, word.text)) {
		snprintf(out, size, "That is one name too many");
		return false;
	}
	return true;
}

bool nt_provider_added(const struct nt_ui *ui, const char *name, char *out, size_t size)
{
	const struct word word = left_out(name);
	snprintf(out, size, "%s", ui->counters);
	if (nt_name_list_has(out, word.text)) {
		nt_name_list_remove(out, word.text);
		return true;
	}
	return nt_name_list_add(out, size, name);
}
