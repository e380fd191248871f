import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { TodayEvents } from './TodayEvents.tsx';

export function TodayEventPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Today Event')} titleHidden permissions={[Permission.Event]} fill>
      {(status) => <TodayEvents username={status.username} />}
    </Frame>
  );
}
