// What members do with their own schedules of reports, in each member group.
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import type { ReportScheduleContent } from '../../../shared/protocol/api/reports/reports.ts';
import { isMailAddress } from '../../../shared/protocol/notify/mailAddress.ts';
import { createRecordActs, type RecordActs, type RecordActsDeps, refusalOfFields } from '../../records/recordActs.ts';
import type { NotifySenderNameStore } from '../../store/notify/notifySenderNames.ts';
import type { StoredReportSchedule } from '../../store/reports/reportSchedules.ts';
import type { ReportScopeStore } from '../../store/reports/reportScopes.ts';
import { auditFieldsOfReport, type ReportRefusalCode, refusalOfReport } from '../parameterChecks.ts';

export type ReportScheduleActs = RecordActs<ReportScheduleContent, StoredReportSchedule, ReportRefusalCode>;

export interface ReportScheduleActsDeps extends RecordActsDeps<ReportScheduleContent, StoredReportSchedule> {
  readonly senders: Pick<NotifySenderNameStore, 'all'>;
  readonly scopes: Pick<ReportScopeStore, 'scopeOf'>;
}

export function createReportScheduleActs({ senders, scopes, ...deps }: ReportScheduleActsDeps): ReportScheduleActs {
  return createRecordActs<ReportScheduleContent, StoredReportSchedule, ReportRefusalCode>(
    {
      subject: 'reportschedule',
      kind: 'reportschedule',
      nameOf: ({ name }) => name,
      tidy: ({ name, recipients, ...rest }) => ({
        ...rest,
        name: name.trim(),
        recipients: recipients.map((recipient) => recipient.trim()),
      }),
      check: async (schedule, actor) => {
        const hasSender = (await senders.all()).some(({ id, kind }) => id === schedule.sender && kind === 'email');
        const refusal = refusalOfFields(faultsOf(schedule, hasSender));
        return refusal ?? refusalOfReport(schedule, actor, scopes);
      },
      auditFields,
    },
    deps,
  );
}

/** A code for each field that isn't as it must be. */
function faultsOf(content: ReportScheduleContent, hasSender: boolean): Readonly<Record<string, string>> {
  const { name, every, weekday, monthDay, recipients, parameters } = content;
  const faults: Record<string, string> = {};
  if (name === '') faults.name = 'required';
  if ((every === 'weekly') !== weekday > 0) faults.weekday = 'out-of-range';
  if ((every === 'monthly') !== monthDay > 0) faults.monthDay = 'out-of-range';
  if (!recipients.every(isMailAddress)) faults.recipients = 'bad-format';
  // The same days each time would be the same report.
  if (parameters.period === 'from-to') faults.period = 'not-allowed';
  if (!hasSender) faults.sender = 'unknown';
  return faults;
}

function auditFields(schedule: StoredReportSchedule): AuditFields {
  const { name, enabled, every, weekday, monthDay, minuteOfDay, format, language, sender, recipients } = schedule;
  const when = { every, weekday, monthDay, minuteOfDay };
  return { name, enabled, ...auditFieldsOfReport(schedule), ...when, format, language, sender, recipients };
}
