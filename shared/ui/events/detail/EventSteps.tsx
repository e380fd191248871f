import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { EventStep } from '../../../protocol/api/events.ts';
import { formatTimestamp } from '../../../time/format.ts';
import { useUserZone } from '../../../time/userZone.ts';
import { useEventNames } from '../useEventNames.ts';
import { stepText, stepUser } from './stepText.ts';

/** What was done about the event, the latest last. */
export function EventSteps({ steps }: { readonly steps: readonly EventStep[] }) {
  const { t } = useTranslation('Events');
  const { reasonName } = useEventNames();
  const zone = useUserZone();
  if (steps.length === 0) return <Box sx={NONE}>{t('Not answered yet')}</Box>;
  return (
    <Box component="ol" sx={LIST}>
      {steps.map((step) => (
        <Box component="li" key={step.id} sx={STEP}>
          <Box sx={HEAD}>
            <Box component="span" sx={{ fontWeight: 600 }}>
              {stepText(step, reasonName)}
            </Box>
            <Box component="span" sx={{ color: 'text.secondary' }}>
              {`${stepUser(step)} · ${formatTimestamp(step.atMs, zone)}`}
            </Box>
          </Box>
          {step.note !== '' && <Box sx={NOTE}>{step.note}</Box>}
        </Box>
      ))}
    </Box>
  );
}

const NONE = { fontSize: 13, color: 'text.secondary' } as const;
const LIST = { m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1, fontSize: 13 } as const;
const STEP = { pl: 1.25, borderLeft: 2, borderColor: 'divider' } as const;
const HEAD = { display: 'flex', flexWrap: 'wrap', columnGap: 1, overflowWrap: 'anywhere' } as const;
const NOTE = { mt: 0.25, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } as const;
