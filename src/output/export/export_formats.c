// SPDX-License-Identifier: GPL-2.0-only
#include "output/export/export_formats.h"

#include "output/export/export_parts.h"

#include <string.h>

static const struct nt_export_format formats[] = {
	{ "speedscope", ".speedscope.json", false, true, false, nt_export_write_speedscope },
	{ "chrome", ".trace.json", false, true, false, nt_export_write_chrome },
	{ "firefox", ".firefox.json", false, true, false, nt_export_write_firefox },
	{ "perf-script", ".perf-script", false, false, false, nt_export_write_perf_script },
	{ "nettrace", ".nettrace", false, false, true, nt_export_write_nettrace },
	{ "perfcollect", ".trace.zip", false, false, false, nt_export_write_perfcollect },
	{ "csv", ".csv", true, false, false, nt_export_write_csv },
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

const struct nt_export_format *nt_export_format_at(size_t index)
{
	return index < FORMATS ? &formats[index] : NULL;
}

const struct nt_export_format *nt_export_format_called(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

const struct nt_export_format *nt_export_format_of_file(const char *path)
{
	size_t length = strlen(path);
	for (size_t i = 0; i < FORMATS; i++) {
		size_t ending = strlen(formats[i].ending);
		if (length > ending && strcmp(path + length - ending, formats[i].ending) == 0)
			return &formats[i];
	}
	return NULL;
}
