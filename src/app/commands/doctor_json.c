// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/doctor.h"

#include "output/frame/json_value.h"
#include "target/needs/usable.h"

#include <stdlib.h>

static json_t *target_object(const struct nt_target *target)
{
	if (!target)
		return json_null();
	json_t *object = json_object();
	json_object_set_new(object, "pid", json_integer(target->pid));
	json_object_set_new(object, "name", nt_json_text_if_any(target->name));
	json_object_set_new(object, "runtime", nt_json_text_if_any(target->runtime));
	json_object_set_new(object, "mode", nt_json_text(nt_target_mode_name(target->mode)));
	return object;
}

static json_t *prerequisite_object(const struct nt_prerequisite *prerequisite, const struct nt_facts *facts,
				   const struct nt_verdict *verdict)
{
	bool lacking = verdict->state != NT_VERDICT_OK && !nt_usable_replaces(facts, prerequisite);
	const struct nt_failure *failure = lacking ? &prerequisite->failures[verdict->failure] : NULL;
	char fix[NT_FIX_BYTES] = "";
	if (failure)
		nt_prerequisite_fix(prerequisite, facts, verdict, fix, sizeof(fix));
	json_t *object = json_object();
	json_object_set_new(object, "key", nt_json_text(prerequisite->key));
	json_object_set_new(object, "state", nt_json_text(nt_verdict_name(verdict->state)));
	json_object_set_new(object, "found", nt_json_text_if_any(verdict->found));
	json_object_set_new(object, "takes_away", nt_json_text_if_any(failure ? failure->lost : NULL));
	json_object_set_new(object, "fix", nt_json_text_if_any(fix));
	json_object_set_new(object, "at_start", json_boolean(failure && failure->at_start));
	json_object_set_new(object, "on_screen", json_boolean(nt_usable_needs(facts, prerequisite)));
	return object;
}

bool nt_doctor_print_json(const struct nt_facts *facts, FILE *out)
{
	bool complete = true;
	json_t *list = json_array(), *object = json_object();
	for (size_t i = 0; i < NT_PREREQUISITE_COUNT; i++) {
		const struct nt_prerequisite *prerequisite = &nt_prerequisites[i];
		struct nt_verdict verdict;
		if (!nt_prerequisite_judge(prerequisite, facts, &verdict))
			continue;
		complete &= verdict.state == NT_VERDICT_OK || !nt_usable_needs(facts, prerequisite);
		json_array_append_new(list, prerequisite_object(prerequisite, facts, &verdict));
	}
	json_object_set_new(object, "type", nt_json_text("doctor"));
	json_object_set_new(object, "schema", json_integer(1));
	json_object_set_new(object, "complete", json_boolean(complete));
	json_object_set_new(object, "target", target_object(facts->target));
	json_object_set_new(object, "prerequisites", list);
	json_dumpf(object, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(object);
	return complete;
}
