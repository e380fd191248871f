import { useTranslation } from 'react-i18next';
import { readReportSchedule } from '../../../../shared/api/reports/reports.ts';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { reportKindText } from '../../../../shared/i18n/reportText.ts';
import type { ReportSchedule, ReportSenders } from '../../../../shared/protocol/api/reports/reports.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { usePeriodNames } from '../periodText.ts';
import { draftOfSchedule, type ScheduleDraft } from './scheduleForm.ts';
import { useStepNames, useWeekdayNames } from './useScheduleTexts.ts';

export interface ScheduleConflictProps {
  readonly form: Form<ScheduleDraft>;
  readonly senders: ReportSenders;
  /** The schedule as it is by now. */
  readonly onSchedule: (schedule: ReportSchedule) => void;
}

/** It was changed in another window first. */
export function ScheduleConflict({ form, senders, onSchedule }: ScheduleConflictProps) {
  const fields = useConflictFields(senders);
  if (form.conflict === undefined) return null;
  const schedule = readReportSchedule(form.conflict);
  const theirs = draftOfSchedule(schedule);
  return (
    <ConflictDialog<ScheduleDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={fields}
      onChoose={(values) => {
        onSchedule(schedule);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useConflictFields(senders: ReportSenders): readonly ConflictField<ScheduleDraft>[] {
  const { t } = useTranslation('ReportPage');
  const periods = usePeriodNames();
  const steps = useStepNames();
  const weekdays = useWeekdayNames();
  const number = (value: number | null) => (value === null ? '' : String(value));
  return [
    { name: 'name', label: t('Name'), show: ({ name }) => name },
    { name: 'enabled', label: t('Enabled'), show: ({ enabled }) => (enabled ? t('On') : t('Off')) },
    { name: 'kind', label: t('Report'), show: ({ kind }) => reportKindText(kind) },
    { name: 'period', label: t('Period'), show: ({ period }) => periods[period] },
    { name: 'deviceGroups', label: t('Device groups'), show: ({ deviceGroups }) => listText(deviceGroups) },
    { name: 'devices', label: t('Devices'), show: ({ devices }) => listText(devices) },
    { name: 'eventTypes', label: t('Event types'), show: ({ eventTypes }) => listText(eventTypes) },
    { name: 'fences', label: t('Geofences'), show: ({ fences }) => listText(fences) },
    { name: 'leastMinutes', label: t('At least (min)'), show: ({ leastMinutes }) => number(leastMinutes) },
    { name: 'speedKmh', label: t('Above (km/h)'), show: ({ speedKmh }) => number(speedKmh) },
    { name: 'every', label: t('Repeats'), show: ({ every }) => steps[every] },
    { name: 'weekday', label: t('Day of the week'), show: ({ weekday }) => weekdays[Number(weekday) - 1] ?? '' },
    { name: 'monthDay', label: t('Day of the month'), show: ({ monthDay }) => monthDay },
    { name: 'time', label: t('Time of day'), show: ({ time }) => time },
    { name: 'timeZone', label: t('Time zone'), show: ({ timeZone }) => timeZone },
    {
      name: 'sender',
      label: t('Sender'),
      show: ({ sender }) => senders.find(({ id }) => String(id) === sender)?.name ?? sender,
    },
    { name: 'format', label: t('File'), show: ({ format }) => format },
    {
      name: 'language',
      label: t('Language'),
      show: ({ language }) => LANGUAGES.find(({ locale }) => locale === language)?.name ?? language,
    },
    { name: 'recipients', label: t('Recipients'), show: ({ recipients }) => listText(recipients) },
  ];
}
