/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Single requests in a nettrace stream: what the DiagnosticListeners of ASP.NET Core and of HttpClient tell of each at its beginning and its end, through the EventSource
 * Microsoft-Diagnostics-DiagnosticSource (DiagnosticSourceEventSource.cs). Which events it writes, and with which members of the request, is asked for by its argument
 * FilterAndPayloadSpecs; they become REQUEST and REQUEST_MADE events.
 *
 * A payload is SourceName and EventName, as texts, then a count (u16) and so many pairs of texts, key and value. All values are texts; one that is null has no pair.
 * The ids of these events are no matter: they are known by EventName.
 */
#ifndef NT_DECODE_REQUEST_EVENTS_H
#define NT_DECODE_REQUEST_EVENTS_H

#include "decode/eventpipe/nettrace.h"

struct nt_clr_at;

#define NT_DIAGNOSTIC_SOURCE_PROVIDER "Microsoft-Diagnostics-DiagnosticSource"

/*
 * The arguments with which the provider is asked for what is read here; and without the path, for who wants no text of the program. The end of a request is written only
 * where its beginning is asked for, too; and where nobody logs, ASP.NET Core makes an activity, without which it writes neither, only for who asks for the activity's
 * name: no event has that, so the first line brings none. Each member is looked up by reflection and costs the program half a microsecond and more: how long it took is the time between the
 * events, and the ids of trace and span come as one text. Events of what is begun within another one have names of their own (Activity2): the runtime takes those of one name for the same.
 */
#define NT_REQUEST_SPECS_WITH(path_)                                                                                                       \
	"FilterAndPayloadSpecs=\""                                                                                                         \
	"Microsoft.AspNetCore/" NT_REQUEST_ACTIVITY ":-\n"                                                                                 \
	"Microsoft.AspNetCore/" NT_REQUEST_START "@Activity1Start:-M=Request.Method;" path_ "I=*Activity.Id\n"                             \
	"Microsoft.AspNetCore/" NT_REQUEST_STOP "@Activity1Stop:-C=Response.StatusCode;S=*Activity.SpanId\n"                               \
	"HttpHandlerDiagnosticListener/" NT_REQUEST_MADE_START                                                                             \
	"@Activity2Start:-H=Request.RequestUri.Host;O=Request.RequestUri.Port;I=*Activity.Id;A=*Activity.ParentSpanId"                     \
	"\n"                                                                                                                               \
	"HttpHandlerDiagnosticListener/" NT_REQUEST_MADE_STOP "@Activity2Stop:-S=*Activity.SpanId\""
#define NT_REQUEST_ACTIVITY   "Microsoft.AspNetCore.Hosting.HttpRequestIn"
#define NT_REQUEST_START      NT_REQUEST_ACTIVITY ".Start"
#define NT_REQUEST_STOP       NT_REQUEST_ACTIVITY ".Stop"
#define NT_REQUEST_MADE_START "System.Net.Http.HttpRequestOut.Start"
#define NT_REQUEST_MADE_STOP  "System.Net.Http.HttpRequestOut.Stop"
#define NT_REQUEST_SPECS      NT_REQUEST_SPECS_WITH("P=Request.Path.Value;")
#define NT_REQUEST_SPECS_BARE NT_REQUEST_SPECS_WITH("")

/* DiagnosticSourceEventSource: Events, and none of the events that it has by shortcuts. */
#define NT_REQUEST_KEYWORDS UINT64_C(0x802)

/*
 * How many connections the server has open it tells by an EventCounter, whenever they began; the Meter knows those alone that began since somebody listens. At the level
 * Critical no connection and no request of it has an event.
 */
#define NT_CONNECTIONS_PROVIDER  "Microsoft-AspNetCore-Server-Kestrel"
#define NT_CONNECTIONS_ARGUMENTS "EventCounterIntervalSec=1"

/* Of a path that is told: bytes of UTF-8. */
enum { NT_REQUEST_PATH_BYTES = 256, NT_REQUEST_PEER_BYTES = 128 /* of a host */ };

/* Is this kind of event one that requests come with? */
bool nt_request_event_is(const struct nt_nettrace_meta *meta);

/*
 * Append what the event says to at->batch. NT_OK: it did. NT_AGAIN: it is about no request, or about one with members that another tool has asked for in place of ours: all share one setting. NT_ERR_MALFORMED: its payload breaks its layout.
 */
enum nt_status nt_request_event_build(const struct nt_nettrace_event *event, const struct nt_clr_at *at);

/* Is this kind of event what counters of connections come with, among others? */
bool nt_connections_event_is(const struct nt_nettrace_meta *meta);

/* Append how many there are to at->batch. NT_AGAIN: it is another counter, or not understood. */
enum nt_status nt_connections_event_build(const struct nt_nettrace_event *event, const struct nt_clr_at *at);

#endif
