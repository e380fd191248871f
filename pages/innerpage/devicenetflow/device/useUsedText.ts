import { useTranslation } from 'react-i18next';
import type { NetflowDevice } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { percentUsed, usedBytes } from './planText.ts';

/** `1.2 GB of 3.0 GB (40 %)`. */
export function useUsedText(): (device: NetflowDevice) => string {
  const { t } = useTranslation('Netflow');
  return (device) => {
    const used = bytesText(usedBytes(device)) || '0 B';
    const percent = percentUsed(device);
    if (percent === undefined) return used;
    return t('{{used}} of {{plan}} ({{percent}} %)', { used, plan: bytesText(device.planBytes), percent });
  };
}
