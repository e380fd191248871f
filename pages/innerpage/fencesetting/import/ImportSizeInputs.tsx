import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  MAX_RADIUS_METERS,
  MAX_WIDTH_METERS,
  MIN_RADIUS_METERS,
  MIN_WIDTH_METERS,
} from '../../../../shared/protocol/fences/fenceWords.ts';
import type { ImportSizes } from './useFenceImport.ts';

export interface ImportSizeInputsProps {
  readonly sizes: ImportSizes;
  readonly onChange: (sizes: ImportSizes) => void;
}

/** The sizes for lines and points of the file that have none themselves. */
export function ImportSizeInputs({ sizes, onChange }: ImportSizeInputsProps) {
  const { t } = useTranslation('FenceSetting');
  return (
    <>
      <SizeInput
        label={t('Width of lines (m)')}
        value={sizes.widthMeters}
        minimum={MIN_WIDTH_METERS}
        maximum={MAX_WIDTH_METERS}
        onChange={(widthMeters) => onChange({ ...sizes, widthMeters })}
      />
      <SizeInput
        label={t('Radius of points (m)')}
        value={sizes.radiusMeters}
        minimum={MIN_RADIUS_METERS}
        maximum={MAX_RADIUS_METERS}
        onChange={(radiusMeters) => onChange({ ...sizes, radiusMeters })}
      />
    </>
  );
}

interface SizeInputProps {
  readonly label: string;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly onChange: (value: number) => void;
}

/** Applied when the field is left: each change reads the file again. */
function SizeInput({ label, value, minimum, maximum, onChange }: SizeInputProps) {
  const [typed, setTyped] = useState(String(value));
  const plain = typed.normalize('NFKC').trim();
  const read = /^\d+$/.test(plain) ? Number(plain) : Number.NaN;
  const isFine = read >= minimum && read <= maximum;
  return (
    <TextField
      size="small"
      label={label}
      value={typed}
      error={!isFine}
      autoComplete="off"
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (!isFine) setTyped(String(value));
        else if (read !== value) onChange(read);
      }}
      slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      sx={{ width: 160 }}
    />
  );
}
