import TextField from '@mui/material/TextField';
import type { Field } from './useForm.ts';

export interface TextInputProps {
  readonly field: Field<string>;
  readonly label: string;
  /** Said below the field while nothing is wrong with it. */
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly type?: 'text' | 'email' | 'tel';
  readonly maxLength?: number;
  /** More than 1: a text of several lines. */
  readonly rows?: number;
  readonly disabled?: boolean;
  /** For identifiers, which are no words to correct. */
  readonly verbatim?: boolean;
  /** Shown while the field is empty: what holds then, or an example. */
  readonly placeholder?: string;
}

export function TextInput({ field, label, hint, verbatim = false, ...rest }: TextInputProps) {
  const { required = false, autoFocus = false, autoComplete = 'off', type = 'text', maxLength, rows = 1 } = rest;
  const { placeholder } = rest;
  const spelling = verbatim ? { spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off' } : {};
  return (
    <TextField
      fullWidth
      label={label}
      required={required}
      autoFocus={autoFocus}
      autoComplete={autoComplete}
      type={type}
      name={field.name}
      value={field.value}
      onChange={(event) => field.onChange(event.target.value)}
      onBlur={field.onBlur}
      disabled={field.disabled || rest.disabled === true}
      error={field.problem !== undefined}
      helperText={field.problem ?? hint}
      multiline={rows > 1}
      {...(rows > 1 ? { minRows: rows } : {})}
      {...(placeholder === undefined ? {} : { placeholder })}
      slotProps={{
        htmlInput: { ...spelling, ...(maxLength === undefined ? {} : { maxLength }) },
        // The label would lie over it.
        ...(placeholder === undefined ? {} : { inputLabel: { shrink: true } }),
      }}
    />
  );
}
