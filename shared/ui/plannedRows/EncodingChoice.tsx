import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { type ImportEncoding, OFFERED_ENCODINGS } from '../../protocol/api/imports/importEncodings.ts';

/** `auto`: what the file says, else what its bytes look like. */
export type ChosenEncoding = ImportEncoding | 'auto';

export interface EncodingChoiceProps {
  readonly value: ChosenEncoding;
  readonly onChange: (encoding: ChosenEncoding) => void;
}

/** The choice of the encoding in which a file is read. */
export function EncodingChoice({ value, onChange }: EncodingChoiceProps) {
  const { t } = useTranslation('Common');
  return (
    <TextField
      select
      label={t('Encoding')}
      value={value}
      onChange={(event) => {
        const offered = OFFERED_ENCODINGS.find(({ encoding }) => encoding === event.target.value);
        onChange(offered?.encoding ?? 'auto');
      }}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      sx={{ minWidth: 160 }}
    >
      <option value="auto">{t('Detect automatically')}</option>
      {OFFERED_ENCODINGS.map(({ encoding, name }) => (
        <option key={encoding} value={encoding}>
          {name}
        </option>
      ))}
    </TextField>
  );
}
