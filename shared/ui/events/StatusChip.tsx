import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { statusText } from '../../i18n/eventWordText.ts';
import { type EventStatus, isAnswered } from '../../protocol/events/eventWords.ts';

/** The status's name; a status that waits for a user stands out. */
export function StatusChip({ status }: { readonly status: EventStatus }) {
  // Renders again when the language changes.
  useTranslation('EventWords');
  const isOpen = !isAnswered(status);
  return (
    <Chip
      size="small"
      variant="outlined"
      label={statusText(status)}
      sx={{
        fontWeight: status === 'new' ? 700 : 500,
        color: isOpen ? 'text.primary' : 'text.secondary',
        borderColor: status === 'new' ? 'text.primary' : 'divider',
      }}
    />
  );
}
