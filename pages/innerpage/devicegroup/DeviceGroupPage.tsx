import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { DeviceGroups } from './DeviceGroups.tsx';

/** The tree of device groups and the devices in it. */
export function DeviceGroupPage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Device Group')} titleHidden permissions={[Permission.System, Permission.DeviceGroup]} fill>
      {() => <DeviceGroups />}
    </Frame>
  );
}
