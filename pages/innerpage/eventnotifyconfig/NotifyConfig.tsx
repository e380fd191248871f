import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';
import { NOTIFY_TABS, type NotifyTab } from './notifyAddress.ts';
import { type ShownNotifyView, useNotifyView } from './useNotifyView.ts';

/** Each loaded when it is first looked at. */
const CONTENTS: Readonly<Record<NotifyTab, ComponentType<{ readonly shown: ShownNotifyView }>>> = {
  rules: lazyPart('RulesTab', async () => (await import('./rules/RulesTab.tsx')).RulesTab),
  messages: lazyPart('MessagesTab', async () => (await import('./messages/MessagesTab.tsx')).MessagesTab),
  explain: lazyPart('ExplainTab', async () => (await import('./explain/ExplainTab.tsx')).ExplainTab),
};

/** The rules of the member group, the messages that they have sent, and why they did or didn't report an event. */
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
    <TabbedPage
      tab={tab}
      titles={NOTIFY_TABS.map((name) => [name, titles[name]])}
      label={t('Event Notify Config', { ns: 'Menu' })}
      onChange={(next) => shown.show({ tab: next })}
    >
      <Content shown={shown} />
    </TabbedPage>
  );
}
