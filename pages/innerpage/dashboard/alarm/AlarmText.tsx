import Box from '@mui/material/Box';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { formatClock, formatDay, formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';

/** Which event the device is in alarm of and since when, in a row of the list. */
export function AlarmText({ device: { alarmType, alarmSince } }: { readonly device: LiveDevice }) {
  const { nameOf } = useEventNames();
  const zone = useUserZone();
  if (alarmType === '') return null;
  const isToday = formatDay(alarmSince, zone) === formatDay(Date.now(), zone);
  const since = isToday ? formatClock(alarmSince, zone) : formatTimestamp(alarmSince, zone);
  return (
    <Box component="span" sx={{ color: 'error.main', fontWeight: 600 }}>
      {`${nameOf(alarmType)} ${since} · `}
    </Box>
  );
}
