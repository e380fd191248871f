import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';
import { SYNC_TABS, type SyncTab } from './syncAddress.ts';
import { type ShownSyncView, useSyncView } from './useSyncView.ts';

/** Each loaded when it is first looked at. */
const CONTENTS: Readonly<Record<SyncTab, ComponentType<{ readonly shown: ShownSyncView }>>> = {
  queue: lazyPart('QueueTab', async () => (await import('./queue/QueueTab.tsx')).QueueTab),
  rules: lazyPart('RulesTab', async () => (await import('./rules/RulesTab.tsx')).RulesTab),
  calendar: lazyPart('CalendarTab', async () => (await import('./calendar/CalendarTab.tsx')).CalendarTab),
};

/** The recordings that are fetched from devices' own storage, the rules for it, and where each recording is. */
export function Datasync() {
  const { t } = useTranslation(['Datasync', 'Menu']);
  const shown = useSyncView();
  const Content = CONTENTS[shown.tab];
  const titles: Readonly<Record<SyncTab, string>> = { queue: t('Queue'), rules: t('Rules'), calendar: t('Calendar') };
  return (
    <TabbedPage
      tab={shown.tab}
      titles={SYNC_TABS.map((name) => [name, titles[name]])}
      label={t('Datasync', { ns: 'Menu' })}
      onChange={(tab) => shown.show({ tab })}
    >
      <Content shown={shown} />
    </TabbedPage>
  );
}
