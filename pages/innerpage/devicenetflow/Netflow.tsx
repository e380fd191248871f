import Box from '@mui/material/Box';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import { PageTabs, pageTabPanel } from '../../../shared/ui/frame/PageTabs.tsx';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
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
    <>
      <PageTabs
        tab={shown.tab}
        titles={NETFLOW_TABS.map((name) => [name, titles[name]])}
        label={t('Device Netflow', { ns: 'Menu' })}
        onChange={(tab) => shown.show({ tab })}
      />
      <Box {...pageTabPanel(shown.tab)} sx={PANEL}>
        <ChunkBoundary>
          <Suspense fallback={<Waiting />}>
            <Content shown={shown} />
          </Suspense>
        </ChunkBoundary>
      </Box>
    </>
  );
}

const PANEL = { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, minWidth: 0, gap: 1.25 } as const;
