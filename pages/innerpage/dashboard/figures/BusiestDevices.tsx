import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useTranslation } from 'react-i18next';
import type { BusyDevice } from '../../../../shared/protocol/api/dashboard.ts';
import { Empty } from './Empty.tsx';

export interface BusiestDevicesProps {
  /** Most alarms first. */
  readonly devices: readonly BusyDevice[];
  readonly onDevice: (deviceId: string) => void;
}

export function BusiestDevices({ devices, onDevice }: BusiestDevicesProps) {
  const { t } = useTranslation('Dashboard');
  if (devices.length === 0) return <Empty text={t('No alarm began in the last 24 hours.')} />;
  const most = Math.max(...devices.map(({ count }) => count));
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', flexDirection: 'column', gap: 0.5 }}>
      {devices.map(({ deviceid, name, plate, count }) => (
        <li key={deviceid}>
          <ButtonBase onClick={() => onDevice(deviceid)} sx={ROW}>
            <Box component="span" sx={{ ...BAR, width: `${(100 * count) / most}%` }} aria-hidden="true" />
            <Box component="span" sx={{ flex: 1, position: 'relative', textAlign: 'left' }}>
              {name}{' '}
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {plate}
              </Box>
            </Box>
            <Box component="span" sx={{ position: 'relative', fontWeight: 650 }}>
              {count}
            </Box>
          </ButtonBase>
        </li>
      ))}
    </Box>
  );
}

const ROW = {
  position: 'relative',
  width: '100%',
  display: 'flex',
  gap: 1,
  px: 1,
  py: 0.5,
  fontSize: 14,
  borderRadius: 0.5,
  overflow: 'hidden',
  '&:hover': { backgroundColor: 'action.hover' },
} as const;
const BAR = { position: 'absolute', inset: '0 auto 0 0', backgroundColor: 'rgb(211 47 47 / 14%)' } as const;
