import Box from '@mui/material/Box';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventDetail, EventRow } from '../../../protocol/api/events.ts';
import { useUserZone } from '../../../time/userZone.ts';
import { useEventNames } from '../useEventNames.ts';
import { eventFacts } from './eventFacts.ts';
import { useNow } from './useNow.ts';

export interface EventFactsProps {
  readonly event: EventRow;
  readonly detail: EventDetail | undefined;
}

const SECOND_MS = 1_000;

export function EventFacts({ event, detail }: EventFactsProps) {
  // Renders again when the language changes.
  useTranslation('Events');
  const { typeOf } = useEventNames();
  const zone = useUserZone();
  const nowMs = useNow(SECOND_MS, event.endAtMs === 0);
  return (
    <Box component="dl" sx={FACTS}>
      {eventFacts({ event, detail, type: typeOf(event.type), zone, nowMs }).map(({ name, value }) => (
        <Fragment key={name}>
          <Box component="dt" sx={{ color: 'text.secondary' }}>
            {name}
          </Box>
          <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Box>
        </Fragment>
      ))}
    </Box>
  );
}

const FACTS = {
  m: 0,
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  columnGap: 1.5,
  rowGap: 0.25,
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
} as const;
