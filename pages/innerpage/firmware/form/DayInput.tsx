import { DatePicker } from '@mui/x-date-pickers/DatePicker';
import dayjs, { type Dayjs } from 'dayjs';
import { DAY_PATTERN } from '../../../../shared/time/format.ts';
import { PickerTexts } from '../../../../shared/ui/form/PickerTexts.tsx';
import type { Field } from '../../../../shared/ui/form/useForm.ts';

export interface DayInputProps {
  /** yyyy-MM-dd; '' for none. */
  readonly field: Field<string>;
  readonly label: string;
  readonly hint: string;
}

/** While a year is typed, it is one of the first millennium. */
const FIRST_YEAR = 2000;

/** A day in no zone: each device has its own. */
export function DayInput({ field, label, hint }: DayInputProps) {
  const change = (day: Dayjs | null) => {
    if (day === null) field.onChange('');
    else if (day.isValid() && day.year() >= FIRST_YEAR) field.onChange(day.format(DAY_PATTERN));
  };
  return (
    <PickerTexts>
      <DatePicker
        label={label}
        value={field.value === '' ? null : dayjs(field.value, DAY_PATTERN)}
        onChange={change}
        format={DAY_PATTERN}
        disabled={field.disabled}
        slotProps={{
          textField: {
            fullWidth: true,
            size: 'small',
            name: field.name,
            onBlur: field.onBlur,
            error: field.problem !== undefined,
            helperText: field.problem ?? hint,
          },
          field: { clearable: true },
        }}
      />
    </PickerTexts>
  );
}
