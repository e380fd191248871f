import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { IssuedInvitation } from '../../../../shared/protocol/api/accounts.ts';
import { INNER_PREFIX } from '../../../../shared/protocol/menuPages.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { CopyField } from '../../../../shared/ui/copy/CopyField.tsx';

export interface InvitationDialogProps {
  readonly name: string;
  readonly invitation: IssuedInvitation;
  readonly onClose: () => void;
}

/** The one time that the link can be seen. */
export function InvitationDialog({ name, invitation, onClose }: InvitationDialogProps) {
  const { t } = useTranslation(['Membership', 'Common']);
  const zone = useUserZone();
  const titleId = useId();
  const address = `${window.location.origin}${INNER_PREFIX}invitation.html#${invitation.token}`;
  return (
    <Dialog open fullWidth maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Invitation link for {{name}}', { name })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText>
          {t('Anyone with this link can set the password. It works once, until {{until}}.', {
            until: formatTimestamp(invitation.expiresAtMs, zone),
          })}
        </DialogContentText>
        <CopyField label={t('Invitation link')} text={address} />
        <Alert severity="info">{t("It isn't shown again. Send it so that only the member can read it.")}</Alert>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
