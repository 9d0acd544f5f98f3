// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/json_gc.h"

#include "nettop/gc_settings.h"
#include "output/frame/json_value.h"

static json_t *of_value(enum nt_gc_unit unit, struct nt_u64 value)
{
	if (!value.known)
		return json_null();
	return unit == NT_GC_UNIT_SWITCH ? json_boolean(value.v != 0) : nt_json_u64(value);
}

static json_t *of_setting(const struct nt_gc_setting_row *row)
{
	json_t *object = json_object();
	json_object_set_new(object, "value", of_value(row->unit, row->value));
	json_object_set_new(object, "by", nt_json_text(nt_gc_origin_name(row->origin)));
	json_object_set_new(object, "asked", of_value(row->unit, row->asked));
	json_object_set_new(object, "asked_by", nt_json_text(nt_gc_origin_name(row->asked_by)));
	return object;
}

void nt_json_add_gc_settings(json_t *gc, const struct nt_process_snapshot *process)
{
	struct nt_gc_setting_row rows[NT_GC_SETTING_COUNT];
	struct nt_gc_oddity oddities[NT_GC_ODDITIES];
	json_t *settings = json_object(), *odd = json_array();
	nt_gc_setting_rows(process, rows);
	for (size_t i = 0; i < NT_GC_SETTING_COUNT; i++)
		json_object_set_new(settings, rows[i].key, of_setting(&rows[i]));
	size_t count = nt_gc_oddities(process, oddities);
	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();
		json_object_set_new(object, "rule", nt_json_text(oddities[i].key));
		json_object_set_new(object, "text", nt_json_text(oddities[i].text));
		json_array_append_new(odd, object);
	}
	json_object_set_new(gc, "settings", settings);
	json_object_set_new(gc, "odd", odd);
}
