import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { LazyContent } from '../../../shared/ui/frame/LazyContent.tsx';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';
import { REPORT_TABS, type ReportTab } from './reportAddress.ts';
import { type ShownReportView, useReportView } from './useReportView.ts';

/** Each loaded when it is first looked at. */
const CONTENTS: Readonly<Record<ReportTab, ComponentType<{ readonly shown: ShownReportView }>>> = {
  reports: lazyPart('JobsTab', async () => (await import('./jobs/JobsTab.tsx')).JobsTab),
  schedules: lazyPart('SchedulesTab', async () => (await import('./schedules/SchedulesTab.tsx')).SchedulesTab),
};
const ResultView = lazyPart('ResultView', async () => (await import('./result/ResultView.tsx')).ResultView);

/** The member's reports and their schedules, or the result of one report. */
export function Reports() {
  const { t } = useTranslation(['ReportPage', 'Menu']);
  const shown = useReportView();
  const { tab, job } = shown;
  const Content = CONTENTS[tab];
  const titles: Readonly<Record<ReportTab, string>> = { reports: t('Reports'), schedules: t('Schedules') };
  if (job !== undefined) {
    return (
      <LazyContent>
        <ResultView key={job} number={job} shown={shown} />
      </LazyContent>
    );
  }
  return (
    <TabbedPage
      tab={tab}
      titles={REPORT_TABS.map((name) => [name, titles[name]])}
      label={t('Report', { ns: 'Menu' })}
      onChange={(next) => shown.show({ tab: next })}
    >
      <Content shown={shown} />
    </TabbedPage>
  );
}
