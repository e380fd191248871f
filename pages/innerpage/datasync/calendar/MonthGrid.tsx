import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import { syncPlaceText } from '../../../../shared/i18n/syncText.ts';
import type { SyncCalendar } from '../../../../shared/protocol/api/sync/sync.ts';
import { formatDay } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { distanceIntoSight } from './inSight.ts';
import { daysOf } from './months.ts';
import { PLACE_LOOKS, partsOf } from './placeLooks.ts';
import { useDurationText } from './useDurationText.ts';

export interface MonthGridProps {
  readonly month: string;
  readonly days: SyncCalendar['days'];
  /** How many channels the device has; those with recordings are shown all the same. */
  readonly channelCount: number;
  /** The day whose spans are shown below; '' for none. */
  readonly chosen: string;
  readonly onDay: (day: string) => void;
}

/** A row for each channel, a column for each day: how much of it is where. */
export function MonthGrid({ month, days, channelCount, chosen, onDay }: MonthGridProps) {
  const { t } = useTranslation('Datasync');
  const known = new Map(days.map(({ day, channels }) => [day, channels]));
  const found = days.flatMap(({ channels }) => channels.map(({ channel }) => channel));
  const channels = Array.from({ length: Math.max(channelCount, 1, ...found) }, (_, at) => at + 1);
  const boxRef = useDayInSight(chosen);
  return (
    <Box
      ref={boxRef}
      role="region"
      tabIndex={0}
      aria-label={t('Calendar of {{month}}', { month })}
      sx={{ overflowX: 'auto', pb: 0.5 }}
    >
      <Box component="table" sx={TABLE}>
        <thead>
          <tr>
            <th scope="col">{t('Channel')}</th>
            {daysOf(month).map((day) => (
              <th scope="col" key={day}>
                <ButtonBase
                  data-day={day}
                  aria-label={t('Show {{day}}', { day })}
                  aria-pressed={day === chosen}
                  onClick={() => onDay(day)}
                  sx={{ ...DAY, ...(day === chosen ? CHOSEN : {}) }}
                >
                  {Number(day.slice(-2))}
                </ButtonBase>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {channels.map((channel) => (
            <tr key={channel}>
              <th scope="row">{channel}</th>
              {daysOf(month).map((day) => (
                <td key={day}>
                  <Cell places={known.get(day)?.find((each) => each.channel === channel)?.places ?? []} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}

/** On a phone only some days of a month are visible: the selected day should be among them, or else today. */
function useDayInSight(chosen: string) {
  const boxRef = useRef<HTMLDivElement>(null);
  const zone = useUserZone();
  const day = chosen === '' ? formatDay(Date.now(), zone) : chosen;
  useLayoutEffect(() => {
    const box = boxRef.current;
    const shown = box?.querySelector(`[data-day="${day}"]`);
    if (!box || !shown) return;
    box.scrollLeft += distanceIntoSight(box.getBoundingClientRect(), shown.getBoundingClientRect());
  }, [day]);
  return boxRef;
}

function Cell({ places }: { readonly places: readonly number[] }) {
  const durationText = useDurationText();
  const parts = partsOf(places);
  const text = listText(parts.map(({ place, ms }) => `${syncPlaceText(place)}: ${durationText(ms)}`));
  return (
    <Box role="img" aria-label={text === '' ? '–' : text} title={text} sx={CELL}>
      {parts.map(({ place, ms }) => (
        <Box
          key={place}
          sx={{
            flex: `${ms} 0 2px`,
            background: PLACE_LOOKS[place].background,
            outline: `1px solid ${PLACE_LOOKS[place].border}`,
            outlineOffset: -1,
          }}
        />
      ))}
    </Box>
  );
}

const TABLE = {
  borderCollapse: 'collapse',
  fontSize: 13,
  '& th': { fontWeight: 600, px: 0.5, textAlign: 'center' },
  '& tbody th, & thead th:first-of-type': { textAlign: 'left', pr: 1, whiteSpace: 'nowrap' },
  '& td': { p: '1px' },
  // The channel stays in sight beside days that are far to the right. Cells' looks are positioned boxes, so it lies above them.
  '& tr > th:first-of-type': { position: 'sticky', left: 0, zIndex: 1, backgroundColor: 'background.default' },
} as const;
const DAY = { width: 30, height: 30, borderRadius: 1, font: 'inherit' } as const;
const CHOSEN = { backgroundColor: 'primary.main', color: 'primary.contrastText' } as const;
const CELL = {
  display: 'flex',
  flexDirection: 'column',
  width: 30,
  height: 28,
  borderRadius: 0.5,
  overflow: 'hidden',
  backgroundColor: 'action.hover',
} as const;
