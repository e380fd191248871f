import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { Field } from './useForm.ts';

export interface NumberInputProps {
  /** Null when nothing is typed, NaN when what is typed is no number: the form's check says so. */
  readonly field: Field<number | null>;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly required?: boolean;
  readonly disabled?: boolean;
}

/** Whole numbers and decimals as text: a spinner would change them by accident of a wheel. */
export function NumberInput({ field, label, hint, required = false, disabled = false }: NumberInputProps) {
  const [typed, setTyped] = useState(() => textOf(field.value));
  // A value from outside, or a form that is reset, replaces what was typed.
  if (!Object.is(readNumber(typed), field.value)) setTyped(textOf(field.value));
  const type = (text: string) => {
    setTyped(text);
    field.onChange(readNumber(text));
  };
  return (
    <TextField
      fullWidth
      label={label}
      required={required}
      name={field.name}
      autoComplete="off"
      value={typed}
      onChange={(event) => type(event.target.value)}
      onBlur={field.onBlur}
      disabled={field.disabled || disabled}
      error={field.problem !== undefined}
      helperText={field.problem ?? hint}
      slotProps={{ htmlInput: { inputMode: 'decimal' } }}
    />
  );
}

/** Full-width digits, as an input method gives them, are digits too. */
function readNumber(text: string): number | null {
  const plain = text.normalize('NFKC').trim();
  if (plain === '') return null;
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
}

function textOf(value: number | null): string {
  return value === null || Number.isNaN(value) ? '' : String(value);
}
