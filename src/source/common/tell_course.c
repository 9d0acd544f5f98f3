// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/tell_course.h"

enum {
	AT_ONCE = 400, /* told before those that come too fast are counted only */
	END_MS = 2000, /* how long the rest of a session may take */
};

void nt_tell_course_want(struct nt_tell_course *course, bool wanted)
{
	if (wanted && !course->wanted)
		course->refused = false;
	course->wanted = wanted;
}

void nt_tell_course_make_room(struct nt_tell_course *course, nt_time now)
{
	double more = (double)(now - course->room_at) * NT_TELL_A_SECOND / (double)NT_NS_PER_S;
	course->room = !course->room_at || course->room + more > AT_ONCE ? AT_ONCE : course->room + more;
	course->room_at = now;
}

bool nt_tell_course_takes(struct nt_tell_course *course)
{
	if (course->room < 1)
		return false;
	course->room--;
	return true;
}

enum nt_tell_news nt_tell_course_news(struct nt_tell_course *course, enum nt_status status, bool began, nt_time now)
{
	if (status < 0 || status == NT_END || (course->ends && now >= course->ends))
		return NT_TELL_OVER;
	if (status != NT_AGAIN || course->on || course->ends || !began)
		return NT_TELL_NO_NEWS;
	course->on = true;
	return NT_TELL_NOW_ON;
}

void nt_tell_course_closed(struct nt_tell_course *course)
{
	course->ends = 0;
	course->on = false;
}

enum nt_tell_turn nt_tell_course_turn(struct nt_tell_course *course, bool open, bool changed, bool any, nt_time now)
{
	if (!open)
		return course->wanted && any && !course->refused ? NT_TELL_BEGIN : NT_TELL_STAY;
	if (course->ends || (course->wanted && !changed))
		return NT_TELL_STAY;
	course->ends = now + END_MS * NT_NS_PER_MS;
	return NT_TELL_STOP;
}
