import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../api/client.ts';
import { errorText } from '../i18n/errorText.ts';

export interface ConfirmDialogProps<Value> {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly text: string;
  /** The label of the action itself: `Delete`, never `OK`. */
  readonly action: string;
  /** Instead of `Cancel`, where that could be taken for the action. */
  readonly dismissal?: string;
  readonly danger?: boolean;
  /**
   * Done when the result is a success; what went wrong is shown in the dialog, which stays. Undefined: the children say
   * why it was not done.
   */
  readonly onConfirm: () => Promise<ApiResult<Value> | undefined>;
  readonly onDone: (value: Value) => void;
  readonly onClose: () => void;
  /** Further choices. */
  readonly children?: ReactNode;
}

/** Asks before something that cannot be taken back, and stays until it is done. */
export function ConfirmDialog<Value>(props: ConfirmDialogProps<Value>) {
  const { title, text, action, dismissal, danger = false, onConfirm, onDone, onClose, children } = props;
  const { t } = useTranslation('Common');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [titleId, textId] = [useId(), useId()];
  const confirm = async (event: SubmitEvent) => {
    event.preventDefault();
    // React hands the events of a dialog on to the form of the page that the dialog is written in.
    event.stopPropagation();
    setBusy(true);
    const result = await onConfirm();
    setBusy(false);
    if (result?.ok === true) onDone(result.value);
    else setFailure(result && errorText(result));
  };
  return (
    <Dialog
      open
      fullWidth
      maxWidth="xs"
      onClose={onClose}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
    >
      {/* The form takes no part in the layout: the content scrolls between title and buttons. */}
      <Box component="form" noValidate onSubmit={(event) => void confirm(event)} sx={{ display: 'contents' }}>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 1.5 }}>
          {failure !== undefined && <Alert severity="error">{failure}</Alert>}
          <DialogContentText id={textId} sx={{ overflowWrap: 'anywhere' }}>
            {text}
          </DialogContentText>
          {children}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button autoFocus onClick={onClose} disabled={isBusy}>
            {dismissal ?? t('Cancel')}
          </Button>
          <Button type="submit" variant="contained" color={danger ? 'error' : 'primary'} loading={isBusy}>
            {action}
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
