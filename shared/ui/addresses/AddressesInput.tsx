import Autocomplete from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Field } from '../form/useForm.ts';
import { withAddresses } from './addresses.ts';

export interface AddressesInputProps {
  readonly field: Field<readonly string[]>;
  readonly label: string;
  readonly hint: string;
}

/** Mail addresses and phone numbers: Enter, a comma, or leaving the field takes what is typed. */
export function AddressesInput({ field, label, hint }: AddressesInputProps) {
  const { t } = useTranslation('Form');
  const [typed, setTyped] = useState('');
  const take = (text: string) => {
    setTyped('');
    const next = withAddresses(field.value, text);
    if (next.length > field.value.length) field.onChange(next);
  };
  return (
    <Autocomplete
      multiple
      freeSolo
      options={[]}
      value={[...field.value]}
      onChange={(_, values, reason) => {
        if (reason !== 'createOption') field.onChange(values);
        else take(values.at(-1) ?? '');
      }}
      inputValue={typed}
      onInputChange={(_, text, reason) => {
        if (reason !== 'input') return;
        if (/[,;\n]/.test(text)) take(text);
        else setTyped(text);
      }}
      onBlur={() => {
        take(typed);
        field.onBlur();
      }}
      disabled={field.disabled}
      clearText={t('Clear')}
      renderInput={(params) => (
        <TextField
          {...params}
          label={label}
          name={field.name}
          error={field.problem !== undefined}
          helperText={field.problem ?? hint}
        />
      )}
    />
  );
}
