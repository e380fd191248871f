import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import DialogContentText from '@mui/material/DialogContentText';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import { useTranslation } from 'react-i18next';
import { BACKUP_PARTS, type BackupPart, PART_PERMISSIONS } from '../../../../shared/protocol/backup/partWords.ts';
import { PasswordField } from '../../../../shared/ui/form/PasswordField.tsx';
import { useSession } from '../../../../shared/ui/session.ts';
import { usePartTexts } from './usePartTexts.ts';

export interface PartChoicesProps {
  readonly isEncrypted: boolean;
  readonly parts: readonly BackupPart[];
  readonly onParts: (parts: readonly BackupPart[]) => void;
  /** Passphrase or recovery key; '': the one that the installation keeps. */
  readonly secret: string;
  readonly onSecret: (secret: string) => void;
}

/** The parts that the user could change by hand; the others can't be chosen. */
export function PartChoices({ isEncrypted, parts, onParts, secret, onSecret }: PartChoicesProps) {
  const { t } = useTranslation('BackupParts');
  const texts = usePartTexts();
  const session = useSession();
  const held: readonly string[] = session.kind === 'signed-in' ? session.status.permission : [];
  const choose = (part: BackupPart, isChosen: boolean) =>
    onParts(BACKUP_PARTS.filter((each) => (each === part ? isChosen : parts.includes(each))));
  return (
    <>
      <DialogContentText>
        {t('What is missing or different is imported. Nothing is deleted, and you see a preview first.')}
      </DialogContentText>
      <FormGroup aria-label={t('Parts')} role="group">
        {BACKUP_PARTS.map((part) => (
          <FormControlLabel
            key={part}
            label={texts.parts[part]}
            disabled={!PART_PERMISSIONS[part].every((permission) => held.includes(permission))}
            control={<Checkbox checked={parts.includes(part)} onChange={(_event, is) => choose(part, is)} />}
          />
        ))}
      </FormGroup>
      {isEncrypted && (
        <Box sx={{ maxWidth: 420 }}>
          <PasswordField
            label={t('Passphrase or recovery key')}
            name="key"
            autoComplete="current-password"
            value={secret}
            onChange={onSecret}
            hint={t('Leave empty to use the one that this server keeps.')}
          />
        </Box>
      )}
    </>
  );
}
