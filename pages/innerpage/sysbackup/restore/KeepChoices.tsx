import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { RestorePlan } from '../../../../shared/protocol/api/system/restore.ts';
import { useContentTexts } from '../words/useContentTexts.ts';
import type { RestoreKeep } from './restoreKeep.ts';
import { useNamesText } from './useNamesText.ts';

export interface KeepChoicesProps {
  readonly plan: RestorePlan;
  readonly keep: RestoreKeep;
  readonly onKeep: (keep: RestoreKeep) => void;
}

/** What was done on purpose since the backup stays unless it is unchecked. */
export function KeepChoices({ plan, keep, onKeep }: KeepChoicesProps) {
  const choices = useChoices(plan);
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      {choices.map(({ name, label, text }) => (
        <KeepChoice
          key={name}
          label={label}
          text={text}
          isKept={keep[name]}
          onChange={(isKept) => onKeep({ ...keep, [name]: isKept })}
        />
      ))}
    </Box>
  );
}

interface Choice {
  readonly name: keyof RestoreKeep;
  readonly label: string;
  readonly text: string;
}

function useChoices({ since, missingHistory }: RestorePlan): readonly Choice[] {
  const { t } = useTranslation('SystemBackup');
  const namesText = useNamesText();
  const { historyList } = useContentTexts();
  return [
    { name: 'disabled', label: t('Members stay disabled'), text: namesText(since.disabled) },
    { name: 'passwords', label: t('Changed passwords stay'), text: namesText(since.passwordChanged) },
    { name: 'links', label: t('Share links stay revoked'), text: namesText(since.revokedLinks) },
    {
      name: 'history',
      label: t("History that the backup doesn't have"),
      text: missingHistory.length === 0 ? t('None') : historyList(missingHistory),
    },
  ];
}

interface KeepChoiceProps {
  readonly label: string;
  readonly text: string;
  readonly isKept: boolean;
  readonly onChange: (isKept: boolean) => void;
}

function KeepChoice({ label, text, isKept, onChange }: KeepChoiceProps) {
  const textId = useId();
  return (
    <Box>
      <FormControlLabel
        label={label}
        control={
          <Checkbox
            size="small"
            checked={isKept}
            onChange={(_, checked) => onChange(checked)}
            slotProps={{ input: { 'aria-describedby': textId } }}
          />
        }
      />
      <FormHelperText id={textId} sx={{ m: 0, ml: 3.75, overflowWrap: 'anywhere' }}>
        {text}
      </FormHelperText>
    </Box>
  );
}
