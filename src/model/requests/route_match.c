// SPDX-License-Identifier: GPL-2.0-only
#include "model/requests/route_match.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Two bits each, the first in the highest ones below that which says that it fits. */
enum { SEGMENTS = 31 };

enum exactness { REST, PARAMETER, PARTLY, LITERAL };

struct segment {
	const char *text;
	size_t length;
};

/* The next one of a path, from *at on, which moves; false: there is none. */
static bool next(const char **at, struct segment *out)
{
	while (**at == '/')
		++*at;
	*out = (struct segment){ *at, strcspn(*at, "/") };
	*at += out->length;
	return out->length != 0;
}

/* The next one of a template: a `/` within braces, as in a regular expression, is none. */
static bool next_of_route(const char **at, struct segment *out)
{
	int depth = 0;
	while (**at == '/')
		++*at;
	out->text = *at;
	for (; **at && (depth > 0 || **at != '/'); ++*at)
		depth += **at == '{' ? 1 : **at == '}' ? -1 : 0;
	out->length = (size_t)(*at - out->text);
	return out->length != 0;
}

static bool is_parameter(struct segment route)
{
	return route.text[0] == '{' && memchr(route.text, '}', route.length) == route.text + route.length - 1;
}

static bool is_rest(struct segment route)
{
	return is_parameter(route) && route.text[1] == '*';
}

static bool may_lack(struct segment route)
{
	return is_rest(route) || (is_parameter(route) && (route.text[route.length - 2] == '?' || memchr(route.text, '=', route.length)));
}

/* `v{version}.json`: what stands before the first parameter and behind the last. */
static bool fits_partly(struct segment route, struct segment path)
{
	const char *open = memchr(route.text, '{', route.length), *close = memrchr(route.text, '}', route.length);
	size_t before = (size_t)(open - route.text), after = (size_t)(route.text + route.length - close - 1);
	return path.length > before + after && strncasecmp(route.text, path.text, before) == 0 &&
	       strncasecmp(close + 1, path.text + path.length - after, after) == 0;
}

/* False: it does not fit. */
static bool fits(struct segment route, struct segment path, enum exactness *how)
{
	if (is_parameter(route)) {
		*how = PARAMETER;
		return true;
	}
	if (memchr(route.text, '{', route.length) && memchr(route.text, '}', route.length)) {
		*how = PARTLY;
		return fits_partly(route, path);
	}
	*how = LITERAL;
	return route.length == path.length && strncasecmp(route.text, path.text, route.length) == 0;
}

uint64_t nt_route_fits(const char *route, const char *path)
{
	uint64_t value = UINT64_C(1) << (2 * SEGMENTS);
	struct segment of_route, of_path;
	for (int i = 0; i < SEGMENTS; i++) {
		bool more = next(&path, &of_path);
		if (!next_of_route(&route, &of_route))
			return more ? 0 : value;
		if (is_rest(of_route))
			return value;
		enum exactness how = REST;
		if (more ? !fits(of_route, of_path, &how) : !may_lack(of_route))
			return 0;
		value |= (uint64_t)how << (2 * (SEGMENTS - 1 - i));
	}
	return 0;
}

const char *nt_route_of(const struct nt_request_row *rows, size_t count, const char *method, const char *path)
{
	const char *best = NULL;
	uint64_t best_value = 0;
	bool alone = true;
	for (size_t i = 0; path && i < count; i++) {
		const struct nt_request_row *row = &rows[i];
		if (row->way != NT_REQUEST_SERVED || !row->route || row->route == best ||
		    (method && row->method && strcmp(method, row->method) != 0))
			continue;
		uint64_t value = nt_route_fits(row->route, path);
		if (!value || value < best_value)
			continue;
		if (value > best_value)
			alone = true;
		else if (strcmp(best, row->route) != 0)
			alone = false;
		best = row->route;
		best_value = value;
	}
	return alone ? best : NULL;
}
