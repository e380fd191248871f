import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../../protocol/api/events.ts';
import { allowsAct } from '../../../protocol/events/eventActs.ts';
import type { EventActs, OfferedAct } from '../useEventActs.tsx';

export interface ActButtonsProps {
  /** One, or those that are selected. */
  readonly events: readonly EventRow[];
  readonly acts: EventActs;
  /** What can be done to several at once, where only that is wanted. */
  readonly offered?: readonly OfferedAct[];
}

const ALL: readonly OfferedAct[] = ['acknowledge', 'assign', 'note', 'close', 'false-alarm', 'reopen'];

/** What can be done to the events; the first is what comes next. */
export function ActButtons({ events, acts, offered = ALL }: ActButtonsProps) {
  const names = useActNames();
  const possible = offered.filter((act) =>
    events.some(({ status }) => allowsAct(status, act === 'false-alarm' ? 'close' : act)),
  );
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75 }}>
      {possible.map((act) => (
        <Button
          key={act}
          size="small"
          variant={act === 'acknowledge' ? 'contained' : 'outlined'}
          disabled={acts.isBusy}
          onClick={() => acts.start(act, events)}
        >
          {names[act]}
        </Button>
      ))}
    </Box>
  );
}

function useActNames(): Readonly<Record<OfferedAct, string>> {
  const { t } = useTranslation('Events');
  return {
    acknowledge: t('Acknowledge'),
    assign: t('Assign'),
    note: t('Add note'),
    close: t('Close event'),
    'false-alarm': t('False alarm'),
    reopen: t('Reopen'),
  };
}
