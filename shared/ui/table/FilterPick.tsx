import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';

export interface PickOption {
  readonly value: string;
  /** What is searched, and stands in the field. */
  readonly label: string;
  /** The option's text in the list; the label if left out. */
  readonly name?: string;
  /** How far in it stands in the list. */
  readonly level?: number;
}

export interface FilterPickProps {
  readonly label: string;
  readonly options: readonly PickOption[];
  /** '' for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isLoading?: boolean;
}

/** Nobody reads more in a list at once; typing finds the others. */
const MAX_LISTED = 200;
const filterOptions = createFilterOptions<PickOption>({ limit: MAX_LISTED });

/** A filter: one of many, or none. What is selected and isn't there any more, or isn't known yet, stays to be seen. */
export function FilterPick({ label, options, value, onChange, isLoading = false }: FilterPickProps) {
  const { t } = useTranslation('Form');
  const known = options.find((option) => option.value === value);
  return (
    <Autocomplete
      size="small"
      options={options}
      value={known ?? (value === '' ? null : { value, label: value })}
      onChange={(_, option) => onChange(option?.value ?? '')}
      filterOptions={filterOptions}
      isOptionEqualToValue={(one, other) => one.value === other.value}
      getOptionKey={(option) => option.value}
      loading={isLoading}
      loadingText={t('Loading…')}
      noOptionsText={t('No results')}
      clearText={t('Clear')}
      openText={t('Open list')}
      closeText={t('Close list')}
      renderOption={({ key, ...item }, { name, label: text, level = 0 }) => (
        <Box component="li" key={key} {...item} sx={{ '&&': { pl: 2 + level * 2 } }}>
          {name ?? text}
        </Box>
      )}
      renderInput={(params) => <TextField {...params} label={label} />}
      sx={{ flex: '1 1 240px', maxWidth: { sm: 380 } }}
    />
  );
}
