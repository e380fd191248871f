import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ChunkBoundary, lazyPart } from '../../../shared/ui/chunks.tsx';
import { TabRow } from '../../../shared/ui/TabRow.tsx';
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
  const shown = useNotifyView();
  const { tab } = shown;
  const Content = CONTENTS[tab];
  return (
    <>
      <NotifyTabs tab={tab} onChange={(next) => shown.show({ tab: next })} />
      <Box id="tab-content" role="tabpanel" aria-labelledby={`tab-${tab}`} sx={PANEL}>
        <ChunkBoundary>
          <Suspense fallback={<Waiting />}>
            <Content shown={shown} />
          </Suspense>
        </ChunkBoundary>
      </Box>
    </>
  );
}

interface NotifyTabsProps {
  readonly tab: NotifyTab;
  readonly onChange: (tab: NotifyTab) => void;
}

function NotifyTabs({ tab, onChange }: NotifyTabsProps) {
  const { t } = useTranslation(['NotifyConfig', 'Menu']);
  const titles: Readonly<Record<NotifyTab, string>> = {
    rules: t('Rules'),
    messages: t('Delivery log'),
    explain: t('Explain an event'),
  };
  return (
    <TabRow
      value={tab}
      onChange={(_, next: NotifyTab) => onChange(next)}
      aria-label={t('Event Notify Config', { ns: 'Menu' })}
      sx={{ minHeight: 40, borderBottom: 1, borderColor: 'divider', flexShrink: 0 }}
    >
      {NOTIFY_TABS.map((name) => (
        <Tab
          key={name}
          value={name}
          label={titles[name]}
          id={`tab-${name}`}
          aria-controls="tab-content"
          sx={{ minHeight: 40, textTransform: 'none' }}
        />
      ))}
    </TabRow>
  );
}

const PANEL = { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, minWidth: 0, gap: 1.25 } as const;
