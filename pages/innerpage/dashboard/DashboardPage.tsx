import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Dashboard } from './Dashboard.tsx';

/** Every user has it: what it shows is the current member group's. */
export function DashboardPage() {
  const { t } = useTranslation('Dashboard');
  const [search, setSearch] = useState('');
  return (
    <Frame title={t('Dashboard')} titleHidden fill bare search={{ onSearch: setSearch }}>
      {(status) => <Dashboard permissions={status.permission} search={search} />}
    </Frame>
  );
}
