import { DatePicker } from '@mui/x-date-pickers/DatePicker';
import dayjs, { type Dayjs } from 'dayjs';
import { DAY_PATTERN } from '../../time/format.ts';
import { PickerTexts } from '../form/PickerTexts.tsx';

export interface FilterDayProps {
  readonly label: string;
  /** yyyy-MM-dd; '' for none. Without a zone: the page knows whose day it is. */
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** The year that the gateway's clock counts from. */
const FIRST_YEAR = 1970;

/** A filter above a table: a day, or none. */
export function FilterDay({ label, value, onChange }: FilterDayProps) {
  const change = (day: Dayjs | null) => {
    // While it is typed it is no day yet, or one of the year 2, and filters nothing.
    if (day === null) onChange('');
    else if (day.isValid() && day.year() >= FIRST_YEAR) onChange(day.format(DAY_PATTERN));
  };
  return (
    <PickerTexts>
      <DatePicker
        label={label}
        value={value === '' ? null : dayjs(value, DAY_PATTERN)}
        onChange={change}
        format={DAY_PATTERN}
        slotProps={{
          textField: { size: 'small', sx: { width: { xs: '100%', sm: 200 } } },
          field: { clearable: true },
        }}
      />
    </PickerTexts>
  );
}
