// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/time_text.h"

#include <time.h>

void nt_time_print(FILE *out, nt_time time, int64_t realtime_offset_ns)
{
	int64_t realtime = (int64_t)time + realtime_offset_ns;
	time_t seconds = (time_t)(realtime / (int64_t)NT_NS_PER_S);
	struct tm parts;
	char date[64], zone[16];
	localtime_r(&seconds, &parts);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &parts);
	strftime(zone, sizeof(zone), "%z", &parts);
	fprintf(out, "%s.%03d%s", date, (int)(realtime / (int64_t)NT_NS_PER_MS % 1000), zone);
}
