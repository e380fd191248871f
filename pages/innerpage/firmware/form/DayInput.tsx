import { DatePicker } from '@mui/x-date-pickers/DatePicker';
import type { FieldRef } from '@mui/x-date-pickers/models';
import dayjs, { type Dayjs } from 'dayjs';
import { useRef, useState } from 'react';
import { DAY_PATTERN } from '../../../../shared/time/format.ts';
import { PickerTexts } from '../../../../shared/ui/form/PickerTexts.tsx';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { NO_DAY } from './taskForm.ts';

export interface DayInputProps {
  /** yyyy-MM-dd; '' for none, NO_DAY while the typed text isn't a day. */
  readonly field: Field<string>;
  readonly label: string;
  readonly hint: string;
}

/** While a year is typed, it is one of the first millennium. */
const FIRST_YEAR = 2000;

/** A day in no zone: each device has its own. */
export function DayInput({ field, label, hint }: DayInputProps) {
  // The picker continues with its last value, which is kept even if it isn't a day.
  const [typed, setTyped] = useState<Dayjs | null>(null);
  const sections = useRef<FieldRef<Dayjs | null>>(null);
  const change = (day: Dayjs | null) => {
    const isDay = day?.isValid() === true && day.year() >= FIRST_YEAR;
    setTyped(day);
    if (day === null) field.onChange('');
    else field.onChange(isDay ? day.format(DAY_PATTERN) : NO_DAY);
  };
  // The picker says nothing of a day that lacks its year, month or day. The form has to know: to it, that would be no day at all.
  const readSections = () => {
    const parts = sections.current?.getSections().map(({ value }) => value) ?? [];
    const empty = parts.filter((part) => part === '').length;
    if (empty > 0 && empty < parts.length) field.onChange(NO_DAY);
    else if (empty > 0 && field.value === NO_DAY) field.onChange('');
  };
  return (
    <PickerTexts>
      <DatePicker
        label={label}
        value={field.value === NO_DAY ? typed : dayOf(field.value)}
        onChange={change}
        format={DAY_PATTERN}
        disabled={field.disabled}
        slotProps={{
          textField: {
            fullWidth: true,
            size: 'small',
            name: field.name,
            onKeyUp: readSections,
            onBlur: () => {
              readSections();
              field.onBlur();
            },
            error: field.problem !== undefined,
            helperText: field.problem ?? hint,
          },
          field: { clearable: true, onClear: () => change(null), fieldRef: sections },
        }}
      />
    </PickerTexts>
  );
}

function dayOf(day: string): Dayjs | null {
  return day === '' ? null : dayjs(day, DAY_PATTERN);
}
