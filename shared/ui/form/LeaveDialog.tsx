import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { answerLeave, useLeaveQuestion } from './unsaved.ts';

/** Asks before unsaved changes are lost. Mounted once a page; `leaveAfterAsking` opens it. */
export function LeaveDialog() {
  const { t } = useTranslation('Frame');
  const isAsked = useLeaveQuestion();
  const [titleId, textId] = [useId(), useId()];
  return (
    <Dialog
      open={isAsked}
      onClose={() => answerLeave(false)}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
    >
      <DialogTitle id={titleId}>{t('Leave without saving?')}</DialogTitle>
      <DialogContent>
        <DialogContentText id={textId}>{t('Your unsaved changes will be lost.')}</DialogContentText>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button color="error" onClick={() => answerLeave(true)}>
          {t('Leave')}
        </Button>
        <Button variant="contained" autoFocus onClick={() => answerLeave(false)}>
          {t('Cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
