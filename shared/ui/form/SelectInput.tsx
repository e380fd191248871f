import TextField from '@mui/material/TextField';
import type { Field } from './useForm.ts';

export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

export interface SelectInputProps<Value extends string> {
  readonly field: Field<Value>;
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly autoFocus?: boolean;
}

/** One of a few, by the browser's own list, which a phone shows as its users know it. */
export function SelectInput<Value extends string>(props: SelectInputProps<Value>) {
  const { field, label, options, hint, required = false, disabled = false, autoFocus = false } = props;
  const choose = (text: string) => {
    const option = options.find(({ value }) => value === text);
    if (option !== undefined) field.onChange(option.value);
  };
  return (
    <TextField
      select
      fullWidth
      label={label}
      required={required}
      autoFocus={autoFocus}
      name={field.name}
      value={field.value}
      onChange={(event) => choose(event.target.value)}
      onBlur={field.onBlur}
      disabled={field.disabled || disabled}
      error={field.problem !== undefined}
      helperText={field.problem ?? hint}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {options.map(({ value, label: text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </TextField>
  );
}
