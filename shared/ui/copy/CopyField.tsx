import ContentCopy from '@mui/icons-material/ContentCopyOutlined';
import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../notifications.tsx';

export interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  readonly rows?: number;
}

/** A text to take away, by a button or by hand. */
export function CopyField({ label, text, rows = 1 }: CopyFieldProps) {
  const { t } = useTranslation('Form');
  const input = useRef<HTMLInputElement>(null);
  const copy = async () => {
    if (await writeClipboard(text)) notify('success', t('Copied.'));
    else input.current?.select(); // without the right to write there, the text lies ready for the keyboard
  };
  const button = (
    <InputAdornment position="end">
      <Tooltip title={t('Copy')}>
        <IconButton
          edge="end"
          size="small"
          aria-label={t('Copy: {{what}}', { what: label })}
          onClick={() => void copy()}
        >
          <ContentCopy fontSize="small" />
        </IconButton>
      </Tooltip>
    </InputAdornment>
  );
  return (
    <TextField
      fullWidth
      label={label}
      value={text}
      inputRef={input}
      multiline={rows > 1}
      {...(rows > 1 ? { minRows: rows, maxRows: rows } : {})}
      onFocus={() => input.current?.select()}
      slotProps={{ input: { readOnly: true, endAdornment: button, sx: { fontFamily: 'monospace', fontSize: 12 } } }}
    />
  );
}

/** False where the browser has no clipboard for the page: on plain HTTP, or in a frame without the right to it. */
async function writeClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
