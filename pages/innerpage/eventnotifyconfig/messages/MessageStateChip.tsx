import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { messageStateText } from '../../../../shared/i18n/notifyWordText.ts';
import type { MessageState } from '../../../../shared/protocol/notify/notifyWords.ts';

const COLORS = { waiting: 'info', sent: 'success', failed: 'error', canceled: 'default' } as const;

/** The state's name; its color only repeats it. */
export function MessageStateChip({ state }: { readonly state: MessageState }) {
  // Renders again when the language changes.
  useTranslation('NotifyWords');
  return <Chip size="small" variant="outlined" color={COLORS[state]} label={messageStateText(state)} />;
}
