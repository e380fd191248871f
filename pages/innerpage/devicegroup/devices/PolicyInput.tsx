import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import type { WeekWindow } from '../../../../shared/protocol/api/weekWindows.ts';
import { Choice } from './Choice.tsx';
import { clockOf, minuteOf } from './deviceForm.ts';
import { useDayNames, useModeName } from './names.ts';

export interface PolicyInputProps {
  readonly policy: RecordingPolicy;
  readonly onChange: (policy: RecordingPolicy) => void;
  readonly disabled: boolean;
  /** What it is for, for screen readers. */
  readonly label: string;
}

const MODES = ['always', 'ignition', 'off'] as const;
const EVERY_NIGHT: WeekWindow = { days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: 1440 };

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
        <>
          {[...schedule.entries()].map(([at, window]) => (
            <WindowInput
              // Windows have no name of their own: they are told apart by their place.
              key={at}
              window={window}
              disabled={disabled}
              onChange={(changed) => change({ schedule: schedule.with(at, changed) })}
              onRemove={() => change({ schedule: schedule.filter((_, each) => each !== at) })}
            />
          ))}
          <Button
            disabled={disabled}
            sx={{ justifySelf: 'start' }}
            onClick={() => change({ schedule: [...schedule, EVERY_NIGHT] })}
          >
            {schedule.length === 0 ? t('Limit to hours') : t('Add hours')}
          </Button>
        </>
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

interface WindowInputProps {
  readonly window: WeekWindow;
  readonly onChange: (window: WeekWindow) => void;
  readonly onRemove: () => void;
  readonly disabled: boolean;
}

function WindowInput({ window, onChange, onRemove, disabled }: WindowInputProps) {
  const { t } = useTranslation('DeviceGroup');
  const names = useDayNames();
  const setDays = (_: unknown, days: number[]) => {
    if (days.length > 0) onChange({ ...window, days: [...days].sort((one, other) => one - other) });
  };
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <ToggleButtonGroup
        size="small"
        value={[...window.days]}
        onChange={setDays}
        disabled={disabled}
        aria-label={t('Days of the week')}
        sx={{ flexWrap: 'wrap' }}
      >
        {names.map((name, at) => (
          <ToggleButton key={name} value={at + 1}>
            {name}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <ClockInput
        label={t('Start')}
        minute={window.fromMinute}
        disabled={disabled}
        onChange={(fromMinute) => onChange({ ...window, fromMinute })}
      />
      <ClockInput
        label={t('End')}
        minute={window.toMinute}
        disabled={disabled}
        onChange={(toMinute) => onChange({ ...window, toMinute })}
      />
      <IconButton aria-label={t('Delete hours')} onClick={onRemove} disabled={disabled}>
        <Delete />
      </IconButton>
    </Box>
  );
}

interface ClockInputProps {
  readonly label: string;
  readonly minute: number;
  readonly onChange: (minute: number) => void;
  readonly disabled: boolean;
}

/** `24:00` can be typed, which the browser's own clock field has no room for. */
function ClockInput({ label, minute, onChange, disabled }: ClockInputProps) {
  const [typed, setTyped] = useState(clockOf(minute));
  const read = minuteOf(typed.normalize('NFKC').trim());
  // Another window has taken this one's place.
  if (read !== undefined && read !== minute) setTyped(clockOf(minute));
  return (
    <TextField
      size="small"
      label={label}
      value={typed}
      disabled={disabled}
      error={read === undefined}
      onChange={(event) => {
        setTyped(event.target.value);
        const next = minuteOf(event.target.value.normalize('NFKC').trim());
        if (next !== undefined) onChange(next);
      }}
      onBlur={() => setTyped(clockOf(minute))}
      slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 5 } }}
      sx={{ width: 92 }}
    />
  );
}
