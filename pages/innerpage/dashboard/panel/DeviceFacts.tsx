import Box from '@mui/material/Box';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { formatTimestampWithZone } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useSession } from '../../../../shared/ui/session.ts';
import { motionText } from '../motionText.ts';
import { UsedToday } from './UsedToday.tsx';

/** What the device last said of itself. */
export function DeviceFacts({ device }: { readonly device: LiveDevice }) {
  const { t } = useTranslation('Dashboard');
  const zone = useUserZone();
  const session = useSession();
  const seesUsage = session.kind === 'signed-in' && session.status.permission.includes(Permission.Netflow);
  const moment = (atMs: number): string => (atMs === 0 ? '–' : formatTimestampWithZone(atMs, zone));
  const { lat, lng } = device;
  const facts: readonly (readonly [string, string])[] = [
    [t('Speed'), device.state === 'online' ? motionText(device) : '–'],
    [t('Position'), lat === null || lng === null ? t('No position yet') : `${lat.toFixed(5)}, ${lng.toFixed(5)}`],
    [t('Position time'), moment(device.at)],
    [t('Last online'), moment(device.seenAt)],
    [t('Plate number'), device.plate || '–'],
    [t('Group'), device.groupName],
    [t('Device ID'), device.id],
    [t('Terminal number'), device.terminal || '–'],
  ];
  return (
    <Box component="dl" sx={FACTS}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Box>
        </Fragment>
      ))}
      {seesUsage && <UsedToday deviceId={device.id} />}
    </Box>
  );
}

const FACTS = {
  m: 0,
  display: 'grid',
  gridTemplateColumns: 'max-content 1fr',
  columnGap: 1.5,
  rowGap: 0.25,
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
} as const;
