import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';

/** Each loaded when it is first looked at. */
const TABS = [
  { name: 'types', Content: lazyPart('types', async () => (await import('./types/TypesTab.tsx')).TypesTab) },
  { name: 'reasons', Content: lazyPart('reasons', async () => (await import('./reasons/ReasonsTab.tsx')).ReasonsTab) },
] as const;
type TabName = (typeof TABS)[number]['name'];

/** What kinds of events there are, and what closing one asks for. */
export function EventDefinePage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Event Define')} permissions={[Permission.System, Permission.EventDefine]} fill>
      {() => <DefineTabs />}
    </Frame>
  );
}

function DefineTabs() {
  const { t } = useTranslation(['EventDefine', 'Menu']);
  const [chosen, setChosen] = useState(() => window.location.hash.slice(1));
  const current = TABS.find(({ name }) => name === chosen) ?? TABS[0];
  const titles: Record<TabName, string> = { types: t('Event types'), reasons: t('Closing reasons') };
  const choose = (name: TabName) =>
    leaveAfterAsking(() => {
      window.history.replaceState(null, '', `#${name}`);
      setChosen(name);
    });
  return (
    <TabbedPage
      tab={current.name}
      titles={TABS.map(({ name }) => [name, titles[name]])}
      label={t('Event Define', { ns: 'Menu' })}
      onChange={choose}
    >
      <current.Content />
    </TabbedPage>
  );
}
