import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import type { Option } from '../form/SelectInput.tsx';

export interface FilterSelectProps<Value extends string> {
  readonly label: string;
  /** '' for all. */
  readonly value: Value | '';
  readonly options: readonly Option<Value>[];
  readonly onChange: (value: Value | '') => void;
}

/** A filter above a table: one of a few, or all. */
export function FilterSelect<Value extends string>({ label, value, options, onChange }: FilterSelectProps<Value>) {
  const { t } = useTranslation('Table');
  return (
    <TextField
      select
      size="small"
      label={label}
      value={value}
      onChange={(event) => onChange(options.find((option) => option.value === event.target.value)?.value ?? '')}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      sx={{ minWidth: 130, flex: { xs: '1 1 130px', sm: '0 0 auto' } }}
    >
      <option value="">{t('All')}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </TextField>
  );
}
