import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { EventConfig } from './EventConfig.tsx';

export function EventConfigPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Event Config')} permissions={[Permission.System, Permission.EventConfig]} fill>
      {() => <EventConfig />}
    </Frame>
  );
}
