import Alert, { type AlertColor } from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { loadOrderOutcome } from '../../../api/devices/driverText.ts';
import type { OrderOutcome, OrderState } from '../../../protocol/api/deviceOrders.ts';
import { useRecord } from '../../records/useRecord.ts';
import { TableFailure } from '../../table/TableNotices.tsx';
import { Waiting } from '../../Waiting.tsx';

/** A driver takes seconds to look, and minutes to stop. */
const EVERY_MS = 3_000;

export interface DriverAnswerDialogProps {
  readonly order: number;
  readonly device: string;
  readonly question: string;
  readonly onClose: () => void;
}

/** What became of a question, until it is closed. */
export function DriverAnswerDialog({ order, device, question, onClose }: DriverAnswerDialogProps) {
  const { t } = useTranslation(['Events', 'Common']);
  const titleId = useId();
  const outcomeText = useOutcomeText();
  const { value, failure, reload } = useRecord({
    key: ['driver-answer', order],
    load: (signal) => loadOrderOutcome(order, signal),
    everyMs: EVERY_MS,
  });
  return (
    <Dialog open fullWidth maxWidth="sm" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Question to the driver of {{device}}', { device })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography sx={{ overflowWrap: 'anywhere' }}>{question}</Typography>
        {failure !== undefined && <TableFailure failure={failure} hasRows={value !== undefined} onRetry={reload} />}
        {value === undefined && failure === undefined && <Waiting />}
        {value !== undefined && (
          <Alert severity={colorOf(value)} sx={{ overflowWrap: 'anywhere' }}>
            {outcomeText(value)}
          </Alert>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('Close', { ns: 'Common' })}</Button>
      </DialogActions>
    </Dialog>
  );
}

const FAILED: ReadonlySet<OrderState> = new Set(['refused', 'no-answer', 'expired', 'unknown']);

function colorOf({ state, answer }: OrderOutcome): AlertColor {
  if (answer !== '') return 'success';
  return FAILED.has(state) ? 'warning' : 'info';
}

function useOutcomeText(): (outcome: OrderOutcome) => string {
  const { t } = useTranslation('Events');
  return ({ state, answer }) => {
    if (answer !== '') return t('The driver answered: {{answer}}', { answer });
    switch (state) {
      case 'waiting':
        return t('The question is waiting for the terminal, for at most 5 minutes.');
      case 'sent':
      case 'done':
        return t('The question was sent. Waiting for the answer of the driver.');
      case 'refused':
        return t("The terminal rejected the question. Some terminals don't support questions.");
      case 'expired':
        return t('The terminal was offline. The question was not sent.');
      case 'no-answer':
      case 'unknown':
        return t("The terminal didn't confirm the question. The driver may have seen it.");
    }
  };
}
