import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Dashboard } from './Dashboard.tsx';

/** Every user has it: what it shows is the current member group's. */
export function DashboardPage() {
  const { t } = useTranslation('Dashboard');
  // Undefined until something is typed or restored: the field of the top bar remembers what was typed last.
  const [search, setSearch] = useState<string>();
  return (
    <Frame title={t('Dashboard')} titleHidden fill bare search={{ text: search, onSearch: setSearch }}>
      {({ permission, membergroup }) => (
        <Dashboard permissions={permission} memberGroup={membergroup} search={search ?? ''} onSearch={setSearch} />
      )}
    </Frame>
  );
}
