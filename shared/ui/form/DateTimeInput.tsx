import { DateTimePicker } from '@mui/x-date-pickers/DateTimePicker';
import dayjs, { type Dayjs } from 'dayjs';
import { useUserZone } from '../../time/userZone.ts';
import { zoneLabel } from '../../time/zones.ts';
import { PickerTexts } from './PickerTexts.tsx';
import type { Field } from './useForm.ts';

export interface DateTimeInputProps {
  /** Milliseconds since the epoch; null for none, NaN while what is typed is no moment. */
  readonly field: Field<number | null>;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly disablePast?: boolean;
  readonly disabled?: boolean;
  readonly required?: boolean;
}

/** A day and a time in the user's zone, which is named below. */
export function DateTimeInput({ field, label, hint, ...rest }: DateTimeInputProps) {
  const { disablePast = false, disabled = false, required = false } = rest;
  const zone = useUserZone();
  const zoneText = zoneLabel(zone, isTimestamp(field.value) ? field.value : Date.now());
  const change = (value: Dayjs | null) => field.onChange(value?.valueOf() ?? null);
  return (
    <PickerTexts>
      <DateTimePicker
        label={label}
        value={isTimestamp(field.value) ? dayjs(field.value).tz(zone) : null}
        onChange={change}
        timezone={zone}
        ampm={false}
        format="YYYY-MM-DD HH:mm"
        disablePast={disablePast}
        disabled={field.disabled || disabled}
        slotProps={{
          textField: {
            fullWidth: true,
            required,
            size: 'small',
            name: field.name,
            onBlur: field.onBlur,
            error: field.problem !== undefined,
            helperText: field.problem ?? (hint === undefined ? zoneText : `${hint} ${zoneText}`),
          },
          field: { clearable: !required },
        }}
      />
    </PickerTexts>
  );
}

function isTimestamp(value: number | null): value is number {
  return value !== null && !Number.isNaN(value);
}
