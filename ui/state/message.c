// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/message.h"

#include "base/text.h"
#include "ui/state/state.h"

#include <string.h>

#define MESSAGE_NS (5 * NT_NS_PER_S)

void nt_ui_message(struct nt_ui *ui, nt_time now, const char *text)
{
	nt_text_escape(text, strlen(text), ui->message, sizeof(ui->message));
	ui->message_until = now + MESSAGE_NS;
	if (ui->config.log)
		nt_log_add(ui->config.log, now, NT_LOG_NETTOP, text, strlen(text));
}
