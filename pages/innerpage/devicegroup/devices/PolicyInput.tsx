import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import { WeekScheduleInput } from '../../../../shared/ui/schedule/WeekScheduleInput.tsx';
import { Choice } from './Choice.tsx';
import { useModeName } from './names.ts';

export interface PolicyInputProps {
  readonly policy: RecordingPolicy;
  readonly onChange: (policy: RecordingPolicy) => void;
  readonly disabled: boolean;
  /** What it is for, for screen readers. */
  readonly label: string;
}

const MODES = ['always', 'ignition', 'off'] as const;

export function PolicyInput({ policy, onChange, disabled, label }: PolicyInputProps) {
  const { t } = useTranslation('DeviceGroup');
  const modeName = useModeName();
  const { mode, quality, schedule, retentionDays } = policy;
  const change = (part: Partial<RecordingPolicy>) => onChange({ ...policy, ...part });
  return (
    <Box role="group" aria-label={label} sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        <Choice
          label={t('Recording schedule')}
          value={mode}
          disabled={disabled}
          onChange={(value) => change({ mode: value })}
          options={MODES.map((value) => ({ value, label: modeName(value) }))}
        />
        <Choice
          label={t('Stream')}
          value={quality}
          disabled={disabled || mode === 'off'}
          onChange={(value) => change({ quality: value })}
          options={[
            { value: 'main', label: t('Main stream') },
            { value: 'sub', label: t('Sub stream') },
          ]}
        />
        <DaysInput days={retentionDays} onChange={(days) => change({ retentionDays: days })} disabled={disabled} />
      </Box>
      {mode !== 'off' && (
        <WeekScheduleInput
          schedule={schedule}
          onChange={(changed) => change({ schedule: changed })}
          disabled={disabled}
        />
      )}
    </Box>
  );
}

const MAX_DAYS = 36_500;

function DaysInput({
  days,
  onChange,
  disabled,
}: {
  days: number;
  onChange: (days: number) => void;
  disabled: boolean;
}) {
  const { t } = useTranslation('DeviceGroup');
  return (
    <TextField
      label={t('Retention (days)')}
      value={String(days)}
      disabled={disabled}
      helperText={t('Enter 0 for no limit.')}
      onChange={(event) => {
        const digits = event.target.value.normalize('NFKC').replace(/\D/g, '');
        onChange(Math.min(Number(digits), MAX_DAYS));
      }}
      slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      sx={{ width: 140 }}
    />
  );
}
