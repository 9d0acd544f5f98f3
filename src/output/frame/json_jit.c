// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/json_jit.h"

#include "output/frame/json_value.h"

json_t *nt_json_jit_setting(const struct nt_jit_setting_cost *cost, bool start_seen)
{
	if (!start_seen || cost->off == NT_JIT_OFF_UNKNOWN)
		return json_null();
	json_t *object = json_object();
	json_object_set_new(object, "name", nt_json_text(nt_jit_setting_name(cost)));
	json_object_set_new(object, "by", nt_json_text(nt_jit_setting_origin(cost)));
	json_object_set_new(object, "count", json_integer((json_int_t)cost->count));
	json_object_set_new(object, "self_ns", json_integer((json_int_t)cost->self_ns));
	json_object_set_new(object, "cpu_ns", nt_json_u64(cost->cpu_ns));
	return object;
}
