import Box from '@mui/material/Box';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import { PageTabs, pageTabPanel } from '../../../shared/ui/frame/PageTabs.tsx';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import { NOTIFY_TABS, type NotifyTab } from './notifyAddress.ts';
import { type ShownNotifyView, useNotifyView } from './useNotifyView.ts';

/** Each loaded when it is first looked at. */
const CONTENTS: Readonly<Record<NotifyTab, ComponentType<{ readonly shown: ShownNotifyView }>>> = {
  rules: lazyPart('RulesTab', async () => (await import('./rules/RulesTab.tsx')).RulesTab),
  messages: lazyPart('MessagesTab', async () => (await import('./messages/MessagesTab.tsx')).MessagesTab),
  explain: lazyPart('ExplainTab', async () => (await import('./explain/ExplainTab.tsx')).ExplainTab),
};

/** The rules of the member group, what they have sent, and why they told or did not tell of an event. */
export function NotifyConfig() {
  const { t } = useTranslation(['NotifyConfig', 'Menu']);
  const shown = useNotifyView();
  const { tab } = shown;
  const Content = CONTENTS[tab];
  const titles: Readonly<Record<NotifyTab, string>> = {
    rules: t('Rules'),
    messages: t('Delivery log'),
    explain: t('Explain an event'),
  };
  return (
    <>
      <PageTabs
        tab={tab}
        titles={NOTIFY_TABS.map((name) => [name, titles[name]])}
        label={t('Event Notify Config', { ns: 'Menu' })}
        onChange={(next) => shown.show({ tab: next })}
      />
      <Box {...pageTabPanel(tab)} sx={PANEL}>
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
