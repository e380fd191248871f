import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Netflow } from './Netflow.tsx';

export function NetflowPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Device Netflow')} permissions={[Permission.Netflow]} fill>
      {() => <Netflow />}
    </Frame>
  );
}
