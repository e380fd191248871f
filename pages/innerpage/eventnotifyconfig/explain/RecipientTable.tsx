import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslation } from 'react-i18next';
import { recipientNoteText } from '../../../../shared/i18n/notifyWordText.ts';
import type { ExplainedRecipient } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { senderText } from '../senderText.ts';

export interface RecipientTableProps {
  readonly recipients: readonly ExplainedRecipient[];
}

/** Who is told by which sender, and when; or why not. */
export function RecipientTable({ recipients }: RecipientTableProps) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={t('Recipients')}>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell align="right">{t('Step')}</TableCell>
            <TableCell>{t('Recipient')}</TableCell>
            <TableCell>{t('Sender')}</TableCell>
            <TableCell>{t('Time')}</TableCell>
            <TableCell>{t('Note')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {recipients.map((recipient) => (
            <RecipientRow
              key={[recipient.step, recipient.sender, recipient.recipient, recipient.atMs].join(' ')}
              recipient={recipient}
            />
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

function RecipientRow({ recipient: each }: { readonly recipient: ExplainedRecipient }) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  const zone = useUserZone();
  return (
    <TableRow>
      <TableCell align="right">{each.step}</TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>{each.recipient || t('Service')}</TableCell>
      <TableCell>{senderText(each.senderName, each.kind)}</TableCell>
      <TableCell sx={{ whiteSpace: 'nowrap' }}>
        {each.atMs === 0 ? t('Not sent') : formatTimestamp(each.atMs, zone)}
      </TableCell>
      <TableCell>{recipientNoteText(each.note)}</TableCell>
    </TableRow>
  );
}
