// A report as a mail. Pure.
import { REPORT_KIND_NAMES, type ReportMailText } from '../../../shared/protocol/reports/reportTexts.ts';
import type { ReportDelivery } from '../../../shared/protocol/reports/reportWords.ts';
import { wallClockMs } from '../../../shared/protocol/timeZones.ts';
import type { StoredReportJob } from '../../store/reports/reportJobs.ts';
import type { StoredReportSchedule } from '../../store/reports/reportSchedules.ts';

export interface ReportAttachment {
  readonly fileName: string;
  readonly contentType: string;
  readonly data: Buffer;
}

export interface ReportMail {
  readonly subject: string;
  readonly text: string;
  readonly attachment: ReportAttachment | undefined;
  /** What is noted when it has been sent. */
  readonly delivery: Extract<ReportDelivery, 'sent' | 'link-sent'>;
}

export interface MailParts {
  readonly schedule: Pick<StoredReportSchedule, 'name' | 'parameters'>;
  readonly job: Pick<StoredReportJob, 'id' | 'kind' | 'fromMs' | 'toMs' | 'isCut'>;
  /** Undefined for one that is too large. */
  readonly attachment: ReportAttachment | undefined;
  /** Without a slash at its end; '' for none. */
  readonly publicUrl: string;
  /** In the language of the schedule. */
  readonly translate: (text: string) => string;
}

export function reportMail({ schedule, job, attachment, publicUrl, translate }: MailParts): ReportMail {
  const text = (key: ReportMailText): string => translate(key);
  const { timeZone } = schedule.parameters;
  const period = `${dateOf(job.fromMs, timeZone)} – ${dateOf(job.toMs - 1, timeZone)}`;
  const lines = [`${translate(REPORT_KIND_NAMES[job.kind])}, ${period}`, ''];
  if (attachment !== undefined) lines.push(text('The report is attached.'));
  else if (publicUrl === '') {
    lines.push(text('The report is too large for a mail. Sign in and open it on the Report page.'));
  } else {
    lines.push(
      text('The report is too large for a mail. Open it here after signing in:'),
      reportLink(publicUrl, job.id),
    );
  }
  if (job.isCut) lines.push('', text('The report was cut at the maximum number of rows.'));
  return {
    subject: `${schedule.name} (${period})`,
    text: `${lines.join('\n')}\n`,
    attachment,
    delivery: attachment === undefined ? 'link-sent' : 'sent',
  };
}

/** Who opens it has to sign in, and sees what the session sees. */
function reportLink(publicUrl: string, job: number): string {
  return `${publicUrl}/innerpage/report.html?job=${job}`;
}

function dateOf(atMs: number, timeZone: string): string {
  return new Date(wallClockMs(atMs, timeZone)).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
