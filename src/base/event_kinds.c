// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/event_kind.h"

const struct nt_event_attributes nt_event_attributes[NT_EV_LIMIT] = {
#define KIND(name_, number, text, holds_, of_) [number] = { text, NT_EVENT_##holds_, NT_EVENT_OF_##of_ },
#include "nettop/event_kinds.def"
};

const char *nt_event_kind_name(enum nt_event_kind kind)
{
	return nt_event_kind_exists(kind) ? nt_event_attributes[kind].name : "?";
}
