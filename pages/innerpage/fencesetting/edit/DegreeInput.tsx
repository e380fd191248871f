import TextField from '@mui/material/TextField';
import { useState } from 'react';

export interface DegreeInputProps {
  readonly label: string;
  readonly value: number;
  /** Degrees: 90 for a latitude, 180 for a longitude. */
  readonly limit: number;
  readonly disabled: boolean;
  readonly onChange: (value: number) => void;
}

/** A latitude or a longitude, typed; what is no number within the limit changes nothing. */
export function DegreeInput({ label, value, limit, disabled, onChange }: DegreeInputProps) {
  const [typed, setTyped] = useState({ text: String(value), value });
  // Moved on the map, undone: what was typed gives way.
  if (typed.value !== value) setTyped({ text: String(value), value });
  const type = (text: string) => {
    const read = readDegrees(text, limit);
    setTyped({ text, value: read ?? value });
    if (read !== undefined && read !== value) onChange(read);
  };
  return (
    <TextField
      size="small"
      label={label}
      value={typed.text}
      disabled={disabled}
      autoComplete="off"
      error={readDegrees(typed.text, limit) === undefined}
      onChange={(event) => type(event.target.value)}
      onBlur={() => setTyped({ text: String(value), value })}
      slotProps={{ htmlInput: { inputMode: 'decimal' } }}
      sx={{ flex: '1 1 110px', minWidth: 0 }}
    />
  );
}

const DIGITS = 1e7;

/** Rounded as positions are, so that what is typed and what comes back are the same. */
function readDegrees(text: string, limit: number): number | undefined {
  const plain = text.normalize('NFKC').trim();
  if (!/^-?\d+(\.\d+)?$/.test(plain)) return undefined;
  const value = Math.round(Number(plain) * DIGITS) / DIGITS;
  return Math.abs(value) <= limit ? value : undefined;
}
