import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { getNoticeText } from '../../../../shared/api/version/notices.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { Notice } from '../../../../shared/protocol/api/system/notices.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';

export interface NoticeDialogProps {
  readonly notice: Notice;
  readonly onClose: () => void;
}

/** The text of a license, as its authors wrote it. */
export function NoticeDialog({ notice, onClose }: NoticeDialogProps) {
  const { t } = useTranslation('Common');
  const titleId = useId();
  const { name, version, source } = notice;
  const { value, failure } = useRecord({
    key: ['notice', name, version],
    load: (signal) => getNoticeText({ name, version }, signal),
  });
  return (
    <Dialog open fullWidth fullScreen={useIsNarrow()} maxWidth="md" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {name} {version}
      </DialogTitle>
      <DialogContent>
        {source !== '' && <Box sx={{ color: 'text.secondary', overflowWrap: 'anywhere', mb: 1 }}>{source}</Box>}
        {value !== undefined && (
          <Box component="pre" lang="en" tabIndex={0} sx={TEXT}>
            {value.text}
          </Box>
        )}
        {value === undefined && failure === undefined && <Waiting />}
        {failure !== undefined && <Alert severity="error">{errorText(failure)}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

const TEXT = { m: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontSize: 12 } as const;
