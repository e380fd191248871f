import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { severityText, statusText } from '../../../../shared/i18n/eventWordText.ts';
import { EVENT_STATUSES, SEVERITIES, type Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { severityAccent } from '../../../../shared/ui/events/severityColors.ts';
import { type EventCounts, type EventFilter, toggled } from '../model/eventFilter.ts';

export interface CountChipsProps {
  readonly counts: EventCounts;
  readonly filter: EventFilter;
  readonly onFilter: (part: Partial<EventFilter>) => void;
}

/** How many events there are of each severity and status; each filters by itself when it is clicked. */
export function CountChips({ counts, filter, onFilter }: CountChipsProps) {
  const { t } = useTranslation('TodayEvent');
  return (
    <>
      <Box component="fieldset" aria-label={t('Severity')} sx={CHIPS}>
        {SEVERITIES.map((severity) => (
          <CountChip
            key={severity}
            name={severityText(severity)}
            count={counts.severities[severity]}
            severity={severity}
            isOn={filter.severities.includes(severity)}
            onToggle={() => onFilter({ severities: toggled(filter.severities, severity) })}
          />
        ))}
      </Box>
      <Box component="fieldset" aria-label={t('Status')} sx={CHIPS}>
        {EVENT_STATUSES.map((status) => (
          <CountChip
            key={status}
            name={statusText(status)}
            count={counts.statuses[status]}
            isOn={filter.statuses.includes(status)}
            onToggle={() => onFilter({ statuses: toggled(filter.statuses, status) })}
          />
        ))}
      </Box>
    </>
  );
}

interface CountChipProps {
  readonly name: string;
  readonly count: number;
  readonly severity?: Severity;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function CountChip({ name, count, severity, isOn, onToggle }: CountChipProps) {
  return (
    <Chip
      clickable
      component="button"
      type="button"
      aria-pressed={isOn}
      variant={isOn ? 'filled' : 'outlined'}
      color={isOn ? 'primary' : 'default'}
      onClick={onToggle}
      sx={CHIP}
      {...(severity === undefined ? {} : { icon: <Dot severity={severity} /> })}
      label={
        <>
          {name} <Count>{count}</Count>
        </>
      }
    />
  );
}

function Dot({ severity }: { readonly severity: Severity }) {
  return <Box component="span" sx={[DOT, severityAccent(severity, 'backgroundColor')]} />;
}

function Count({ children }: { readonly children: number }) {
  return (
    <Box component="span" sx={{ fontWeight: 700, fontVariantNumeric: 'tabular-nums' }}>
      {children}
    </Box>
  );
}

const CHIPS = { display: 'flex', flexShrink: 0, gap: 0.75, m: 0, p: 0, border: 0, minWidth: 0 } as const;
// A finger needs more than a mouse.
const CHIP = { height: { xs: 32, sm: 28 }, fontSize: 13, '& .MuiChip-label': { px: 1.125 } } as const;
const DOT = {
  width: 10,
  height: 10,
  borderRadius: '50%',
  flexShrink: 0,
  ml: '9px !important',
  mr: '-3px !important',
} as const;
