// SPDX-License-Identifier: GPL-2.0-only
#include "serve/web_request.h"

#include <string.h>
#include <strings.h>

enum { OK = 200, FORBIDDEN = 403, NOT_FOUND = 404, METHOD_NOT_ALLOWED = 405 };

static const char openmetrics[] = "application/openmetrics-text";

/* localhost, 127.0.0.1, [::1], with a port or without one. HTTP/1.0 needs no name. */
static bool is_this_machine(const char *host)
{
	static const char name[] = "localhost";
	size_t length = sizeof(name) - 1;
	if (!host || *host == '[')
		return true;
	if (strncasecmp(host, name, length) == 0)
		return host[length] == '\0' || host[length] == ':';
	return host[strspn(host, "0123456789.:")] == '\0';
}

unsigned nt_web_judge(const struct nt_web_request *request, enum nt_web_form *form, const char **refusal)
{
	*refusal = NULL;
	*form = request->accept && strstr(request->accept, openmetrics) ? NT_WEB_OPENMETRICS : NT_WEB_PROMETHEUS;
	if (request->loopback && !is_this_machine(request->host)) {
		*refusal = "this is for localhost alone\n";
		return FORBIDDEN;
	}
	if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0) {
		*refusal = "there is only GET\n";
		return METHOD_NOT_ALLOWED;
	}
	if (strcmp(request->path, "/metrics") != 0) {
		*refusal = "there is only /metrics\n";
		return NOT_FOUND;
	}
	return OK;
}

const char *nt_web_content_type(enum nt_web_form form)
{
	return form == NT_WEB_OPENMETRICS ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
					  : "text/plain; version=0.0.4; charset=utf-8";
}
