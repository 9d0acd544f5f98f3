// SPDX-License-Identifier: MIT
#include "describe.h"

#include "boxes.h"
#include "debug.h"
#include "describe_fields.h"
#include "forever.h"

#include <stdbool.h>
#include <string.h>

// "event" of "provider:event"; NULL when it is not one of this provider.
static const char *event_name(const struct ust0_event_desc *old, const char *provider)
{
	const size_t length = strlen(provider);
	return strncmp(old->name, provider, length) == 0 && old->name[length] == ':' ? old->name + length + 1 : NULL;
}

static const struct ust1_class *new_class(const struct ust0_event_desc *old, struct ust0_enums *enums)
{
	size_t field_count;
	const struct ust1_field *const *fields = ust0_describe_fields(old->fields, old->field_count, enums, &field_count);
	struct ust1_class *class = ust0_forever(sizeof(*class));
	if (!class || !fields)
		return NULL;
	*class = (struct ust1_class){
		.struct_size = sizeof(*class),
		.fields = fields,
		.field_count = field_count,
		.probe = ust0_stub_for(old->probe),
		.signature = old->signature,
		.probe_desc = enums->probe_desc,
	};
	return class->probe ? class : NULL;
}

static const struct ust1_event_desc *new_event(const struct ust0_event_desc *old, struct ust0_enums *enums)
{
	const char *name = event_name(old, enums->probe_desc->provider);
	const struct ust1_class *class = name ? new_class(old, enums) : NULL;
	struct ust1_event_desc *event = class ? ust0_forever(sizeof(*event)) : NULL;
	if (!event) {
		ust0_debug("left out: %s", old->name);
		return NULL;
	}
	*event = (struct ust1_event_desc){
		.struct_size = sizeof(*event),
		.name = name,
		.probe_desc = enums->probe_desc,
		.class = class,
		.loglevel = old->loglevel,
		.model_emf_uri = old->model_emf_uri,
	};
	return event;
}

const struct ust1_probe_desc *ust0_describe(const struct ust0_probe_desc *old)
{
	if (old->major != UST0_PROVIDER_MAJOR) {
		ust0_debug("provider %s speaks version %u", old->provider, old->major);
		return NULL;
	}
	struct ust1_probe_desc *provider = ust0_forever(sizeof(*provider));
	const struct ust1_event_desc **events = ust0_forever((old->event_count + 1) * sizeof(*events));
	if (!provider || !events)
		return NULL;
	*provider = (struct ust1_probe_desc){
		.struct_size = sizeof(*provider),
		.provider = old->provider,
		.events = events,
		.major = UST1_PROVIDER_MAJOR,
	};
	struct ust0_enums enums = { .probe_desc = provider };
	for (unsigned i = 0; i < old->event_count; i++) {
		const struct ust1_event_desc *event = new_event(old->events[i], &enums);
		if (event)
			events[provider->event_count++] = event;
	}
	ust0_debug("provider %s: %u of %u events", old->provider, provider->event_count, old->event_count);
	return provider->event_count ? provider : NULL;
}
