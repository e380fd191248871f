import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { NotifyConfig } from './NotifyConfig.tsx';

export function NotifyConfigPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Event Notify Config')} permissions={[Permission.System, Permission.EventNotifyConfig]} fill>
      {() => <NotifyConfig />}
    </Frame>
  );
}
