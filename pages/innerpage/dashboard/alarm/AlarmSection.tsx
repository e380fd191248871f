import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import {
  EVENT_STATUSES,
  isAnswered,
  isMajorOrHigher,
  SEVERITIES,
} from '../../../../shared/protocol/events/eventWords.ts';
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { linkToEventsOf } from '../../../../shared/ui/events/historyLink.ts';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { useSession } from '../../../../shared/ui/session.ts';

const OPEN = EVENT_STATUSES.filter((status) => !isAnswered(status));
const ALARMS = SEVERITIES.filter(isMajorOrHigher);

/** What the chosen device is in alarm of, and the way to where its events are answered. */
export function AlarmSection({ device }: { readonly device: LiveDevice }) {
  const { t } = useTranslation('Dashboard');
  const { nameOf } = useEventNames();
  const zone = useUserZone();
  const session = useSession();
  const { alarmType, alarmSeverity, alarmSince } = device;
  if (alarmType === '' || alarmSeverity === '') return null;
  const seesEvents = session.kind === 'signed-in' && session.status.permission.includes(Permission.Event);
  const linkTo = (statuses: readonly string[]) => linkToEventsOf({ deviceId: device.id, statuses, severities: ALARMS });
  return (
    <Box component="section" aria-label={t('In alarm')} sx={SECTION}>
      <Box sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 1 }}>
        <SeverityChip severity={alarmSeverity} />
        <Box component="span" sx={{ fontWeight: 650 }}>
          {nameOf(alarmType)}
        </Box>
        <Box component="span" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {t('Since {{time}}', { time: formatTimestamp(alarmSince, zone) })}
        </Box>
      </Box>
      {seesEvents && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <Button component="a" variant="outlined" size="small" {...linkTo(OPEN)}>
            {t('Open events')}
          </Button>
          <Button component="a" variant="outlined" size="small" {...linkTo(['new'])}>
            {t('Acknowledge')}
          </Button>
        </Box>
      )}
    </Box>
  );
}

const SECTION = {
  display: 'flex',
  flexDirection: 'column',
  gap: 1,
  p: 1,
  fontSize: 13,
  border: 1,
  borderColor: 'error.main',
  borderRadius: 1,
} as const;
