import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';
import { severityText } from '../../i18n/eventWordText.ts';
import type { Severity } from '../../protocol/events/eventWords.ts';
import { DARK_SEVERITIES, LIGHT_SEVERITIES } from './severityColors.ts';

export interface SeverityChipProps {
  readonly severity: Severity;
}

/** The severity's name; its color only repeats it. */
export function SeverityChip({ severity }: SeverityChipProps) {
  // Renders again when the language changes.
  useTranslation('EventWords');
  const { background, text } = LIGHT_SEVERITIES[severity];
  const dark = DARK_SEVERITIES[severity];
  return (
    <Chip
      size="small"
      label={severityText(severity)}
      sx={{
        backgroundColor: background,
        color: text,
        fontWeight: 600,
        '@media (prefers-color-scheme: dark)': { backgroundColor: dark.background, color: dark.text },
      }}
    />
  );
}
