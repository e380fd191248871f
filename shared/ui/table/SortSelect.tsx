import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import type { Sorting } from './tableState.ts';

export interface SortSelectProps {
  readonly columns: readonly { readonly name: string; readonly title: string }[];
  readonly sorting: Sorting | undefined;
  readonly onChange: (sorting: Sorting) => void;
}

/** The order of a table whose column heads have no room. */
export function SortSelect({ columns, sorting, onChange }: SortSelectProps) {
  const { t } = useTranslation('Table');
  const choose = (value: string) => onChange({ column: value.slice(1), descending: value.startsWith('-') });
  return (
    <TextField
      select
      size="small"
      label={t('Sort by')}
      value={sorting === undefined ? '' : `${sorting.descending ? '-' : '+'}${sorting.column}`}
      onChange={(event) => choose(event.target.value)}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      sx={{ flex: '1 1 140px' }}
    >
      {sorting === undefined && <option value="" />}
      {columns.flatMap(({ name, title }) => [
        <option key={`+${name}`} value={`+${name}`}>
          {t('{{column}}, ascending', { column: title })}
        </option>,
        <option key={`-${name}`} value={`-${name}`}>
          {t('{{column}}, descending', { column: title })}
        </option>,
      ])}
    </TextField>
  );
}
