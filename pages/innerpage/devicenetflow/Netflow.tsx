import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';
import { NETFLOW_TABS, type NetflowTab } from './netflowAddress.ts';
import { type ShownNetflowView, useNetflowView } from './useNetflowView.ts';

/** Each loaded when it is first looked at. */
const CONTENTS: Readonly<Record<NetflowTab, ComponentType<{ readonly shown: ShownNetflowView }>>> = {
  usage: lazyPart('UsageTab', async () => (await import('./usage/UsageTab.tsx')).UsageTab),
  plans: lazyPart('PlansTab', async () => (await import('./plans/PlansTab.tsx')).PlansTab),
};

/** What devices use of the mobile network, and the data plans that they have. */
export function Netflow() {
  const { t } = useTranslation(['Netflow', 'Menu']);
  const shown = useNetflowView();
  const Content = CONTENTS[shown.tab];
  const titles: Readonly<Record<NetflowTab, string>> = { usage: t('Usage'), plans: t('Data plans') };
  return (
    <TabbedPage
      tab={shown.tab}
      titles={NETFLOW_TABS.map((name) => [name, titles[name]])}
      label={t('Device Netflow', { ns: 'Menu' })}
      onChange={(tab) => shown.show({ tab })}
    >
      <Content shown={shown} />
    </TabbedPage>
  );
}
