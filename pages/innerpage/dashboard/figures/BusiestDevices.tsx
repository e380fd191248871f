import { useTranslation } from 'react-i18next';
import type { BusyDevice } from '../../../../shared/protocol/api/fleet.ts';
import { CountBars } from './CountBars.tsx';
import { Empty } from './Empty.tsx';

export interface BusiestDevicesProps {
  /** Most events first. */
  readonly devices: readonly BusyDevice[];
  readonly onDevice: (deviceId: string) => void;
}

export function BusiestDevices({ devices, onDevice }: BusiestDevicesProps) {
  const { t } = useTranslation('Dashboard');
  if (devices.length === 0) return <Empty text={t('No new events in the last 24 hours.')} />;
  const bars = devices.map(({ deviceid, name, plate, count }) => ({
    key: deviceid,
    name: name || deviceid,
    detail: plate,
    count,
  }));
  return <CountBars bars={bars} onPick={onDevice} />;
}
