import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WeekSchedule, WeekWindow } from '../../protocol/api/weekWindows.ts';
import { clockOf, minuteOf } from './clock.ts';
import { useDayNames } from './scheduleText.ts';

export interface WeekScheduleInputProps {
  readonly schedule: WeekSchedule;
  readonly onChange: (schedule: WeekSchedule) => void;
  readonly disabled: boolean;
  /** What is added first, and the button that adds it, where no hours don't mean at any time. */
  readonly first?: { readonly window: WeekWindow; readonly label: string };
}

const EVERY_DAY: WeekWindow = { days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: 1440 };

/** Hours of the week; none are at any time. The page loads the namespace `Schedule`. */
export function WeekScheduleInput({ schedule, onChange, disabled, first }: WeekScheduleInputProps) {
  const { t } = useTranslation('Schedule');
  return (
    <>
      {[...schedule.entries()].map(([at, window]) => (
        <WindowInput
          // Windows have no name of their own: they are identified by their place.
          key={at}
          window={window}
          disabled={disabled}
          onChange={(changed) => onChange(schedule.with(at, changed))}
          onRemove={() => onChange(schedule.filter((_, each) => each !== at))}
        />
      ))}
      <Button
        disabled={disabled}
        sx={{ justifySelf: 'start' }}
        onClick={() => onChange([...schedule, first?.window ?? EVERY_DAY])}
      >
        {schedule.length === 0 ? (first?.label ?? t('Limit to hours')) : t('Add hours')}
      </Button>
    </>
  );
}

interface WindowInputProps {
  readonly window: WeekWindow;
  readonly onChange: (window: WeekWindow) => void;
  readonly onRemove: () => void;
  readonly disabled: boolean;
}

function WindowInput({ window, onChange, onRemove, disabled }: WindowInputProps) {
  const { t } = useTranslation('Schedule');
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
