// SPDX-License-Identifier: GPL-2.0-only
#include "model/findings/pile_up.h"

#include <math.h>
#include <stdlib.h>

/* What was so shortly before is not before, but how it began. */
static const nt_time apart_ns = 10 * NT_NS_PER_S, least_ns = 60 * NT_NS_PER_S;
static const double least_per_s = 1;
enum { NOW = 3, LEAST_MOMENTS = 6 };

static bool both(const struct nt_kept_moment *moment, double *in_flight, double *ended)
{
	struct nt_f64 flying = nt_kept_value(moment, NT_KEPT_IN_FLIGHT), served = nt_kept_value(moment, NT_KEPT_SERVED);
	*in_flight = flying.v;
	*ended = served.v;
	return flying.known && served.known;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static bool fill_now(const struct nt_kept_figures *kept, struct nt_pile *out)
{
	double fewest = HUGE_VAL, sum = 0, in_flight, ended;
	for (size_t i = 0; i < NOW; i++) {
		const struct nt_kept_moment *moment = nt_kept_moment(kept, i);
		if (!moment || !both(moment, &in_flight, &ended))
			return false;
		fewest = in_flight < fewest ? in_flight : fewest;
		sum += ended;
	}
	out->in_flight = fewest;
	out->ended_per_s = sum / NOW;
	return true;
}

static bool fill_usual(const struct nt_kept_figures *kept, nt_time before, struct nt_pile *out)
{
	double in_flight[NT_KEPT_MOMENTS], ended[NT_KEPT_MOMENTS];
	size_t count = 0;
	nt_time last = 0, first = 0;
	const struct nt_kept_moment *moment;
	for (size_t i = 0; (moment = nt_kept_moment(kept, i)) != NULL; i++) {
		if (moment->time > before || !both(moment, &in_flight[count], &ended[count]))
			continue;
		last = count++ ? last : moment->time;
		first = moment->time;
	}
	if (count < LEAST_MOMENTS || last - first < least_ns)
		return false;
	qsort(in_flight, count, sizeof(*in_flight), compare);
	qsort(ended, count, sizeof(*ended), compare);
	out->in_flight_usual = in_flight[count * 3 / 4];
	out->ended_usual = ended[count / 2];
	out->over_ns = last - first;
	return true;
}

/* Since the newest moment in which some did, or of which it is not known. */
static nt_time none_ended_for(const struct nt_kept_figures *kept)
{
	const struct nt_kept_moment *newest = nt_kept_moment(kept, 0), *moment = newest;
	nt_time oldest = newest->time;
	double in_flight, ended;
	for (size_t i = 0; moment && both(moment, &in_flight, &ended); moment = nt_kept_moment(kept, ++i)) {
		oldest = moment->time;
		if (ended > 0)
			break;
	}
	return newest->time - oldest;
}

/* Infinite where there were none. */
static double times(double more, double fewer)
{
	return fewer > 0 ? more / fewer : more > 0 ? HUGE_VAL : 0;
}

struct nt_pile nt_pile_up_judge(const struct nt_kept_figures *kept, nt_time since)
{
	struct nt_pile pile = { 0 };
	const struct nt_kept_moment *newest = nt_kept_moment(kept, 0);
	nt_time now = since ? since : newest ? newest->time : 0;
	if (now < apart_ns || !fill_now(kept, &pile) || !fill_usual(kept, now - apart_ns, &pile))
		return (struct nt_pile){ 0 };
	pile.judged = true;
	pile.more = pile.in_flight - pile.in_flight_usual;
	pile.times = times(pile.in_flight, pile.in_flight_usual);
	pile.fewer_times = pile.ended_usual < least_per_s ? 0 : times(pile.ended_usual, pile.ended_per_s);
	pile.stuck_ns = pile.ended_usual < least_per_s ? 0 : none_ended_for(kept);
	bool grown = pile.times >= NT_PILE_TIMES && pile.fewer_times >= NT_PILE_FEWER_TIMES;
	pile.piled = pile.more >= NT_PILE_MORE && (grown || pile.stuck_ns >= NT_PILE_STUCK_NS);
	return pile;
}
