import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Switch from '@mui/material/Switch';
import { useId } from 'react';
import type { Field } from './useForm.ts';

export interface SwitchInputProps {
  readonly field: Field<boolean>;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly disabled?: boolean;
}

export function SwitchInput({ field, label, hint, disabled = false }: SwitchInputProps) {
  const textId = useId();
  const text = field.problem ?? hint;
  const described = text === undefined ? {} : { 'aria-describedby': textId };
  const invalid = field.problem === undefined ? {} : { 'aria-invalid': true };
  return (
    <FormControl error={field.problem !== undefined} disabled={field.disabled || disabled}>
      <FormControlLabel
        label={label}
        control={
          <Switch
            size="small"
            name={field.name}
            checked={field.value}
            onChange={(_, checked) => field.onChange(checked)}
            onBlur={field.onBlur}
            slotProps={{ input: { ...described, ...invalid } }}
            sx={{ mr: 1 }}
          />
        }
        sx={{ ml: 0 }}
      />
      {text !== undefined && (
        <FormHelperText id={textId} sx={{ mx: 0 }}>
          {text}
        </FormHelperText>
      )}
    </FormControl>
  );
}
