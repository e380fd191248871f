import SearchIcon from '@mui/icons-material/Search';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';

export interface TableSearchProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** What is searched in, where it is not plain. */
  readonly hint?: string | undefined;
}

export function TableSearch({ value, onChange, hint }: TableSearchProps) {
  const { t } = useTranslation('Table');
  return (
    <TextField
      type="search"
      size="small"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      placeholder={hint ?? t('Search')}
      sx={{ width: { xs: '100%', sm: 260 } }}
      slotProps={{
        htmlInput: { 'aria-label': t('Search table') },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <SearchIcon fontSize="small" aria-hidden="true" />
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
