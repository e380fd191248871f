import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import type { Option } from './SelectInput.tsx';
import type { Field } from './useForm.ts';

export interface PickInputProps {
  /** The chosen option's value; '' for none. */
  readonly field: Field<string>;
  readonly label: string;
  readonly options: readonly Option<string>[];
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly loading?: boolean;
  readonly autoFocus?: boolean;
  /** Set when the options come from the gateway for what is typed: they are then shown as they are. */
  readonly onType?: ((text: string) => void) | undefined;
}

/** One of many: typing narrows the list. */
export function PickInput({ field, label, options, hint, onType, ...rest }: PickInputProps) {
  const { t } = useTranslation('Form');
  const { required = false, disabled = false, loading = false, autoFocus = false } = rest;
  const chosen = options.find(({ value }) => value === field.value);
  const value = chosen ?? (field.value === '' ? null : { value: field.value, label: field.value });
  return (
    <Autocomplete
      options={options}
      value={value}
      onChange={(_, option) => field.onChange(option?.value ?? '')}
      onInputChange={(_, text, reason) => (reason === 'input' || reason === 'clear') && onType?.(text)}
      {...(onType === undefined ? {} : { filterOptions: all })}
      isOptionEqualToValue={(one, other) => one.value === other.value}
      getOptionKey={(option) => option.value}
      onBlur={field.onBlur}
      disabled={field.disabled || disabled}
      loading={loading}
      loadingText={t('Loading…')}
      noOptionsText={t('No results')}
      clearText={t('Clear')}
      openText={t('Open list')}
      closeText={t('Close list')}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          required={required}
          autoFocus={autoFocus}
          name={field.name}
          error={field.problem !== undefined}
          helperText={field.problem ?? hint}
        />
      )}
    />
  );
}

const all = (options: Option<string>[]): Option<string>[] => options;
