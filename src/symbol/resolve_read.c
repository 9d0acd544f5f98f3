// SPDX-License-Identifier: GPL-2.0-only
/* What the runtime's own data say of generated code, and whether a line of the perf map agrees. */
#include "symbol/resolve_steps.h"

#include <string.h>

/* Have the runtime's own data said that this code may be freed? */
static bool may_be_freed(const struct nt_range_hit *answer)
{
	return answer->found && nt_answer_naming(answer->range.c) == NT_NAMING_PASSING;
}

/* A look, and the text that it brought. */
struct found {
	enum nt_read read;
	nt_text_ref name; /* of a NAME */
	nt_time looked;   /* of a STUB: when */
};

/* Code that may be freed: of the time between two looks its name is known. */
static struct found look_passing(struct nt_resolver *resolver, const struct nt_hit *hit, struct nt_resolved *out)
{
	const struct nt_passed *passed;
	enum nt_passing_answer answer = nt_passing_find(&resolver->passing, hit->address, hit->time, &passed);
	struct nt_range_hit limit = { .valid_from = hit->time, .valid_to = hit->time + 1, .extent = { hit->address, hit->address + 1 } };
	if (passed) {
		limit.valid_from = passed->from;
		limit.valid_to = passed->until + 1;
		limit.extent = (struct nt_extent){ passed->start, passed->end };
	}
	nt_resolve_limit(out, &limit);
	if (!passed) {
		if (resolver->reads_data && hit->weight)
			nt_passing_want(&resolver->passing, hit->address, hit->time);
		out->awaited = resolver->reads_data && answer == NT_PASSING_AWAITED;
		resolver->passing.untold |= answer == NT_PASSING_UNTOLD;
		return (struct found){ .read = NT_READ_PASSING };
	}
	if (!passed->name)
		return (struct found){ .read = NT_READ_NOTHING };
	nt_resolve_managed(resolver, passed->name, NT_CODE_JIT, NULL, out);
	out->reusable = true;
	return (struct found){ .read = NT_READ_NAME, .name = passed->name };
}

static void want_read(struct nt_resolver *resolver, const struct nt_hit *hit)
{
	const struct nt_place place = { .offset = hit->address, .weight = hit->weight };
	if (resolver->reads_data && hit->weight)
		nt_images_want(&resolver->images, resolver->data_image, &place);
}

static struct found look(struct nt_resolver *resolver, const struct nt_hit *hit, struct nt_resolved *out)
{
	struct nt_range_hit answer = nt_images_find(&resolver->images, resolver->data_image, hit->address);
	if (may_be_freed(&answer))
		return look_passing(resolver, hit, out);
	nt_resolve_limit(out, &answer);
	if (!answer.found) {
		want_read(resolver, hit);
		return (struct found){ .read = resolver->reads_data ? NT_READ_OPEN : NT_READ_NOTHING };
	}
	if (!answer.range.a) {
		bool stub = nt_answer_kind(answer.range.c) == NT_CODE_STUB;
		return (struct found){ .read = stub ? NT_READ_STUB : NT_READ_NOTHING, .looked = answer.range.from };
	}
	nt_resolve_managed(resolver, answer.range.a, NT_CODE_JIT, NULL, out);
	return (struct found){ .read = NT_READ_NAME, .name = answer.range.a };
}

enum nt_read nt_resolve_read(struct nt_resolver *resolver, const struct nt_hit *hit, struct nt_resolved *out)
{
	return look(resolver, hit, out).read;
}

bool nt_resolve_want_read(struct nt_resolver *resolver, const struct nt_hit *hit)
{
	const struct nt_place place = { .offset = hit->address, .weight = hit->weight };
	if (!resolver->reads_data)
		return false;
	struct nt_range_hit answer = nt_images_find(&resolver->images, resolver->data_image, hit->address);
	if (may_be_freed(&answer))
		return nt_passing_want(&resolver->passing, hit->address, hit->time);
	return nt_resolve_want_place(resolver, resolver->data_image, &place);
}

/* ---- lines of the perf map ---- */

/* A line is valid from the reading of the map on before the one that brought it, so its code may be younger by that. */
static bool was_known(const struct nt_range *line, nt_time at)
{
	static const nt_time between_readings = 5 * NT_NS_PER_S;
	return !line->from || line->from + between_readings <= at;
}

static size_t own_name_length(const char *name)
{
	return strcspn(name, "(");
}

/* Do a line and the data say the same name? Of a dynamic method the line cannot say all of the signature. */
static bool is_same_name(const struct nt_line_name *a, const struct nt_line_name *b, const char *dynamic)
{
	if (a->name == b->name)
		return true;
	size_t length = own_name_length(a->name);
	return a->module == dynamic && b->module == dynamic && length == own_name_length(b->name) && memcmp(a->name, b->name, length) == 0;
}

static bool is_other_name(struct nt_resolver *resolver, const struct nt_line_name *said, nt_text_ref found)
{
	return found && !is_same_name(said, nt_lines_name(&resolver->lines, found), resolver->dynamic);
}

/* What the data could not read of it (a type's name, a signature) is a ? there. */
static bool is_whole(struct nt_resolver *resolver, nt_text_ref name)
{
	return !strchr(nt_lines_name(&resolver->lines, name)->raw_name, '?');
}

/* No method was there when it was looked. A line that was there before is a lie; of a dynamic method it may have been right before. */
static enum nt_line_check check_nothing(struct nt_resolver *resolver, const struct nt_hit *hit, const struct nt_range *line, bool dynamic,
					nt_time looked, struct nt_resolved *out)
{
	nt_resolve_limit(out, &(struct nt_range_hit){ .valid_from = hit->time > looked ? looked + 1 : 0,
						      .valid_to = hit->time > looked ? NT_TIME_UNKNOWN : looked + 1,
						      .extent = NT_EXTENT_ALL });
	if (was_known(line, looked))
		return dynamic && hit->time <= looked ? NT_LINE_STANDS : NT_LINE_REFUTED;
	if (hit->time > looked) { /* it may be new there */
		want_read(resolver, hit);
		out->provisional |= resolver->reads_data;
	}
	return NT_LINE_STANDS;
}

/* What is there changes, and of this time it is not known. What was found later than the line came to be in the map is newer than the line's code. */
static enum nt_line_check check_passing(struct nt_resolver *resolver, const struct nt_hit *hit, const struct nt_range *line,
					const struct nt_line_name *said, struct nt_resolved *out)
{
	const struct nt_passed *before = nt_passing_before(&resolver->passing, hit->address, hit->time);
	if (before && was_known(line, before->until) && is_other_name(resolver, said, before->name))
		return NT_LINE_REFUTED;
	out->provisional |= out->awaited;
	return NT_LINE_STANDS;
}

enum nt_line_check nt_resolve_check_line(struct nt_resolver *resolver, const struct nt_hit *hit, const struct nt_range *line,
					 nt_text_ref text, struct nt_resolved *out)
{
	if (!text)
		return NT_LINE_STANDS;
	const struct nt_line_name said = *nt_lines_name(&resolver->lines, text);
	if (said.kind != NT_CODE_JIT) /* of a jitdump: an image has it */
		return NT_LINE_STANDS;
	const struct found found = look(resolver, hit, out);
	enum nt_line_check check = NT_LINE_STANDS;
	if (found.read == NT_READ_NAME && (said.instance_untold || is_whole(resolver, found.name)))
		check = is_other_name(resolver, &said, found.name) ? NT_LINE_NAMED : NT_LINE_STANDS;
	else if (found.read == NT_READ_STUB)
		check = check_nothing(resolver, hit, line, said.module == resolver->dynamic, found.looked, out);
	else if (found.read == NT_READ_PASSING)
		check = check_passing(resolver, hit, line, &said, out);
	else if (found.read == NT_READ_OPEN)
		out->provisional = true;
	out->awaited = false;
	return check;
}
