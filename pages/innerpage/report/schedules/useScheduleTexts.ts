import { useTranslation } from 'react-i18next';
import type { ReportDelivery, ReportPause, ScheduleStep } from '../../../../shared/protocol/reports/reportWords.ts';
import { clockOf } from '../../../../shared/ui/schedule/clock.ts';
import { useReportTexts } from '../form/useReportTexts.ts';
import type { ScheduleTexts } from './scheduleForm.ts';

export function useScheduleFormTexts(): ScheduleTexts {
  const { t } = useTranslation('ReportPage');
  return {
    ...useReportTexts(),
    noName: t('Enter a name.'),
    noTime: t('Enter a time such as 06:30.'),
    noSender: t('Select a sender.'),
    noRecipient: t('Enter at least one email address.'),
    badAddress: (address) => t("{{address}} isn't an email address.", { address }),
  };
}

export function useStepNames(): Readonly<Record<ScheduleStep, string>> {
  const { t } = useTranslation('ReportPage');
  return { daily: t('Every day'), weekly: t('Every week'), monthly: t('Every month') };
}

/** From Monday on. */
export function useWeekdayNames(): readonly string[] {
  const { t } = useTranslation('ReportPage');
  return [t('Monday'), t('Tuesday'), t('Wednesday'), t('Thursday'), t('Friday'), t('Saturday'), t('Sunday')];
}

interface Timing {
  readonly every: ScheduleStep;
  readonly weekday: number;
  readonly monthDay: number;
  readonly minuteOfDay: number;
}

/** When it runs, in a line. */
export function useTimingText(): (timing: Timing) => string {
  const { t } = useTranslation('ReportPage');
  const weekdays = useWeekdayNames();
  return ({ every, weekday, monthDay, minuteOfDay }) => {
    const time = clockOf(minuteOfDay);
    switch (every) {
      case 'daily':
        return t('Every day at {{time}}', { time });
      case 'weekly':
        return t('{{weekday}} at {{time}}', { weekday: weekdays[weekday - 1] ?? '', time });
      case 'monthly':
        return t('Day {{day}} of the month at {{time}}', { day: monthDay, time });
    }
  };
}

export function usePauseText(): (pause: ReportPause) => string {
  const { t } = useTranslation('ReportPage');
  const texts: Readonly<Record<ReportPause, string>> = {
    '': '',
    'no-devices': t("Paused: you can't see its devices anymore."),
    'no-permission': t("Paused: you don't have permission for reports anymore."),
    'no-sender': t('Paused: the sender was deleted or turned off.'),
  };
  return (pause) => texts[pause];
}

export function useDeliveryText(): (delivery: ReportDelivery) => string {
  const { t } = useTranslation('ReportPage');
  const texts: Readonly<Record<ReportDelivery, string>> = {
    '': '',
    sent: t('Sent'),
    'link-sent': t('Link sent: the file was too large'),
    failed: t('Failed'),
  };
  return (delivery) => texts[delivery];
}
