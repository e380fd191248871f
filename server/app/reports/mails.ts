// Mails of reports, by the senders of notifications.

import { MAX_MAILED_BYTES } from '../../../shared/protocol/api/reports/reports.ts';
import type { ReportRoutesDeps } from '../../http/reports/reportDeps.ts';
import { reportSheet } from '../../http/reports/reportSheet.ts';
import { readTexts, textOf } from '../../localeTexts.ts';
import type { Transports } from '../../notify/outgoing.ts';
import type { SenderDirectory } from '../../notify/senders/senderDirectory.ts';
import { reportMail } from '../../reports/schedules/reportMail.ts';
import type { ReportSchedulesDeps, SendReport } from '../../reports/schedules/reportSchedules.ts';

export interface ReportMailDeps extends Pick<ReportRoutesDeps, 'stores' | 'localesRoot'> {
  readonly results: ReportRoutesDeps['reports']['results'];
  readonly senders: Pick<SenderDirectory, 'open'>;
  readonly transports: Pick<Transports, 'email'>;
  /** Address where members reach the pages; '' when none is known. */
  readonly publicUrl: string;
  readonly now: () => number;
}

type Mails = Pick<ReportSchedulesDeps, 'hasSender' | 'attachmentOf' | 'mailOf' | 'send'>;

export function createReportMails(deps: ReportMailDeps): Mails {
  const { localesRoot, publicUrl } = deps;
  return {
    hasSender: async (id) => {
      const sender = await deps.senders.open(id);
      return sender !== undefined && sender.kind === 'email' && sender.enabled;
    },
    attachmentOf: async (job, { format, language, parameters }) => {
      const reader = { format, language, timeZone: parameters.timeZone };
      const { fileName, contentType, content } = await reportSheet(job, reader, {
        ...deps,
        isAllowed: async () => true,
      });
      const data = await readUpTo(content, MAX_MAILED_BYTES);
      return data && { fileName, contentType, data };
    },
    mailOf: async (job, schedule, attachment) => {
      const texts = await readTexts(localesRoot, schedule.language, 'Report');
      const translate = (text: string): string => textOf(texts, text, text);
      return reportMail({ schedule, job, attachment, publicUrl, translate });
    },
    send: (mail) => send(mail, deps),
  };
}

/** Undefined for more, of which the rest is not made. */
async function readUpTo(content: AsyncIterable<Buffer | string>, most: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of content) {
    const data = typeof part === 'string' ? Buffer.from(part) : part;
    bytes += data.byteLength;
    if (bytes > most) return undefined;
    parts.push(data);
  }
  return Buffer.concat(parts);
}

async function send(
  { key, sender, to, subject, text, attachment, signal }: Parameters<SendReport>[0],
  { senders, transports, now }: ReportMailDeps,
): ReturnType<SendReport> {
  const opened = await senders.open(sender);
  if (opened === undefined) return 'refused';
  const message = {
    key,
    destination: { to: 'address', address: to },
    subject,
    body: text,
    attachment,
    link: '',
    severity: 'info',
    eventAtMs: now(),
  } as const;
  const { outcome } = await transports.email.send(message, opened, { signal });
  switch (outcome) {
    case 'sent':
    case 'retry':
    case 'refused':
      return outcome;
    // It may have arrived, and the report is on the page as well.
    case 'unknown':
      return 'refused';
  }
}
