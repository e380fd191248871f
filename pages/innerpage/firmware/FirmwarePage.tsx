import { useTranslation } from 'react-i18next';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { Frame } from '../../../shared/ui/frame/Frame.tsx';
import { Firmware } from './Firmware.tsx';

export function FirmwarePage() {
  const { t } = useTranslation('Menu');
  return (
    <Frame title={t('Device Firmware')} permissions={[Permission.FirmwareUpdate]} fill>
      {() => <Firmware />}
    </Frame>
  );
}
