import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import type { Option } from './SelectInput.tsx';
import type { Field } from './useForm.ts';

export interface PickManyInputProps {
  readonly field: Field<readonly string[]>;
  readonly label: string;
  readonly options: readonly Option<string>[];
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** Any of many: typing narrows the list, what is chosen stands in the field. */
export function PickManyInput({ field, label, options, hint, required = false, disabled = false }: PickManyInputProps) {
  const { t } = useTranslation('Form');
  const chosen = field.value.map(
    (value) => options.find((option) => option.value === value) ?? { value, label: value },
  );
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      options={options}
      value={chosen}
      onChange={(_, picked) => field.onChange(picked.map(({ value }) => value))}
      isOptionEqualToValue={(one, other) => one.value === other.value}
      getOptionKey={(option) => option.value}
      onBlur={field.onBlur}
      disabled={field.disabled || disabled}
      noOptionsText={t('No results')}
      clearText={t('Clear')}
      openText={t('Open list')}
      closeText={t('Close list')}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          required={required}
          name={field.name}
          error={field.problem !== undefined}
          helperText={field.problem ?? hint}
        />
      )}
    />
  );
}
