import Alert, { type AlertColor } from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadAlarmLimits } from '../../../../shared/api/eventConfig.ts';
import type { AlarmLimitState, DeviceAlarmLimits } from '../../../../shared/protocol/api/eventConfig.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { TableFailure } from '../../../../shared/ui/table/TableNotices.tsx';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { differs, LIMIT_NAMES, type LimitName } from './limitsForm.ts';
import { useLimitNames, useLimitStateText, useLimitValueText } from './limitTexts.ts';

const LimitsDialog = lazyPart('LimitsDialog', async () => (await import('./LimitsDialog.tsx')).LimitsDialog);

/** Terminals answer by themselves, and nobody edits a record by it. */
const EVERY_MS = 5_000;

/** The limits that the device's terminal watches by itself: what should hold, and what it says. */
export function LimitsTab({ deviceid }: { readonly deviceid: string }) {
  const { t } = useTranslation('EventConfig');
  const [isOpen, setOpen] = useState(false);
  const { value, failure, reload } = useRecord({
    key: ['alarm-limits', deviceid],
    load: (signal) => loadAlarmLimits(deviceid, signal),
    everyMs: EVERY_MS,
  });
  const sent = () => {
    setOpen(false);
    notify('success', t('Limits saved.'));
    reload();
  };
  return (
    <Box sx={{ display: 'grid', gap: 2, overflow: 'auto', alignContent: 'start' }}>
      {failure !== undefined && <TableFailure failure={failure} hasRows={value !== undefined} onRetry={reload} />}
      {value === undefined && failure === undefined && <Waiting />}
      {value !== undefined && (
        <>
          <LimitsState limits={value} onEdit={() => setOpen(true)} />
          <Box sx={CARDS}>
            {LIMIT_NAMES.map((name) => (
              <LimitCard key={name} name={name} limits={value} />
            ))}
          </Box>
          <ChunkBoundary>
            <Suspense fallback={null}>
              {isOpen && <LimitsDialog limits={value} onSent={sent} onClose={() => setOpen(false)} />}
            </Suspense>
          </ChunkBoundary>
        </>
      )}
    </Box>
  );
}

const COLORS: Readonly<Record<AlarmLimitState, AlertColor>> = {
  none: 'info',
  waiting: 'info',
  sent: 'info',
  confirmed: 'success',
  differs: 'warning',
  refused: 'warning',
  expired: 'warning',
};

interface LimitsStateProps {
  readonly limits: DeviceAlarmLimits;
  readonly onEdit: () => void;
}

function LimitsState({ limits, onEdit }: LimitsStateProps) {
  const { t } = useTranslation('EventConfig');
  const [stateText, zone] = [useLimitStateText(), useUserZone()];
  const { state, isOnline, by, writtenAtMs, reportedAtMs } = limits;
  const time = (atMs: number) => formatTimestamp(atMs, zone);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'start' }}>
      <Alert severity={COLORS[state]} sx={{ flex: '1 1 260px' }}>
        <div>{stateText(state)}</div>
        <Box sx={{ fontSize: 13, color: 'text.secondary', '& > div': { overflowWrap: 'anywhere' } }}>
          <div>{isOnline ? t('Terminal online') : t('Terminal offline')}</div>
          {writtenAtMs > 0 && <div>{t('Set by {{name}}: {{time}}', { name: by, time: time(writtenAtMs) })}</div>}
          {reportedAtMs > 0 && <div>{t('Last report: {{time}}', { time: time(reportedAtMs) })}</div>}
        </Box>
      </Alert>
      <Button variant="contained" size="small" onClick={onEdit}>
        {t('Edit limits')}
      </Button>
    </Box>
  );
}

interface LimitCardProps {
  readonly name: LimitName;
  readonly limits: DeviceAlarmLimits;
}

function LimitCard({ name, limits }: LimitCardProps) {
  const { t } = useTranslation('EventConfig');
  const [names, valueText] = [useLimitNames(), useLimitValueText()];
  return (
    <Box component="section" aria-label={names[name]} sx={CARD}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, fontWeight: 600, fontSize: 14 }}>
        {names[name]}
        {differs(limits, name) && <Chip size="small" color="warning" variant="outlined" label={t('Differs')} />}
      </Box>
      <Box component="dl" sx={VALUES}>
        <dt>{t('Set')}</dt>
        <dd>{valueText(name, limits.wanted)}</dd>
        <dt>{t('Reported')}</dt>
        <dd>{valueText(name, limits.reported)}</dd>
      </Box>
    </Box>
  );
}

const CARDS = {
  display: 'grid',
  gap: 1.5,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
} as const;
const CARD = {
  border: 1,
  borderColor: 'divider',
  borderRadius: 1,
  p: 1.5,
  backgroundColor: 'background.paper',
} as const;
const VALUES = {
  display: 'grid',
  gridTemplateColumns: 'max-content minmax(0, 1fr)',
  columnGap: 1.5,
  rowGap: 0.5,
  m: 0,
  mt: 0.75,
  fontSize: 14,
  '& dt': { color: 'text.secondary' },
  '& dd': { m: 0, overflowWrap: 'anywhere' },
} as const;
