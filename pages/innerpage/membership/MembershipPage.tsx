import Alert from '@mui/material/Alert';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { leaveAfterAsking } from '../../../shared/ui/form/unsaved.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { pageQuery } from '../../../shared/ui/frame/pageQuery.ts';
import { TabbedPage } from '../../../shared/ui/frame/TabbedPage.tsx';

type TabName = 'members' | 'groups' | 'roles' | 'sessions' | 'links' | 'audit';

interface TabPart {
  readonly name: TabName;
  readonly permission: string;
  readonly Content: ComponentType;
}

/** Each loaded when it is first looked at. */
const TABS: readonly TabPart[] = [
  part('members', Permission.Member, async () => (await import('./members/MembersTab.tsx')).MembersTab),
  part('groups', Permission.Member, async () => (await import('./groups/GroupsTab.tsx')).GroupsTab),
  part('roles', Permission.Member, async () => (await import('./roles/RolesTab.tsx')).RolesTab),
  part('sessions', Permission.Member, async () => (await import('./sessions/SessionsTab.tsx')).SessionsTab),
  part('links', Permission.Link, async () => (await import('./links/LinksTab.tsx')).LinksTab),
  part('audit', Permission.Audit, async () => (await import('./audit/AuditTab.tsx')).AuditTab),
];

function part(name: TabName, permission: string, load: () => Promise<ComponentType>): TabPart {
  return { name, permission, Content: lazyPart(name, load) };
}

/** Members, member groups, roles, sessions, links and the audit, each to those who may. */
export function MembershipPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Account')} fill>
      {({ permission }) => <AccountTabs tabs={TABS.filter((tab) => permission.includes(tab.permission))} />}
    </Frame>
  );
}

/** The one chosen last, or that a link names. */
function firstTab(): string {
  return window.location.hash.slice(1) || (new URLSearchParams(pageQuery()).get('tab') ?? '');
}

function AccountTabs({ tabs }: { readonly tabs: readonly TabPart[] }) {
  const { t } = useTranslation(['Membership', 'Frame', 'Menu']);
  const [chosen, setChosen] = useState(firstTab);
  const current = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  const titles: Record<TabName, string> = {
    members: t('Members'),
    groups: t('Member groups'),
    roles: t('Roles'),
    sessions: t('Sessions'),
    links: t('Share links'),
    audit: t('Audit log'),
  };
  if (current === undefined) {
    return (
      <Alert severity="warning">
        {t("You don't have permission for this page. Ask your administrator for it.", {
          ns: 'Frame',
        })}
      </Alert>
    );
  }
  const choose = (name: TabName) =>
    leaveAfterAsking(() => {
      window.history.replaceState(null, '', `#${name}`);
      setChosen(name);
    });
  return (
    <TabbedPage
      tab={current.name}
      titles={tabs.map(({ name }) => [name, titles[name]])}
      label={t('Account', { ns: 'Menu' })}
      onChange={choose}
    >
      <current.Content />
    </TabbedPage>
  );
}
