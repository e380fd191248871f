import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { setPageQuery, usePageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';
import { queryOfTab, tabOfQuery, VERSION_TABS, type VersionTab } from './versionAddress.ts';

/** Each loaded when it is first looked at. */
const CONTENTS: Readonly<Record<VersionTab, ComponentType>> = {
  about: lazyPart('AboutTab', async () => (await import('./about/AboutTab.tsx')).AboutTab),
  health: lazyPart('HealthTab', async () => (await import('./health/HealthTab.tsx')).HealthTab),
  settings: lazyPart('SettingsTab', async () => (await import('./settings/SettingsTab.tsx')).SettingsTab),
  support: lazyPart('SupportTab', async () => (await import('./support/SupportTab.tsx')).SupportTab),
  notices: lazyPart('NoticesTab', async () => (await import('./notices/NoticesTab.tsx')).NoticesTab),
};

/** What is installed here, how it fares, and what is set of it. */
export function Version() {
  const { t } = useTranslation(['Version', 'Menu']);
  const tab = tabOfQuery(usePageQuery());
  const Content = CONTENTS[tab];
  const titles: Readonly<Record<VersionTab, string>> = {
    about: t('What runs'),
    health: t('Health'),
    settings: t('Settings'),
    support: t('Support'),
    notices: t('Third-party notices'),
  };
  return (
    <TabbedPage
      tab={tab}
      titles={VERSION_TABS.map((name) => [name, titles[name]])}
      label={t('Version', { ns: 'Menu' })}
      onChange={(next) => leaveAfterAsking(() => setPageQuery(queryOfTab(next), 'push'))}
    >
      <Content />
    </TabbedPage>
  );
}
