import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslation } from 'react-i18next';
import { attemptOutcomeText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyMessageDetail } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';

export interface AttemptTableProps {
  readonly attempts: NotifyMessageDetail['attempts'];
}

const NUMBER = new Intl.NumberFormat('en-US');

export function AttemptTable({ attempts }: AttemptTableProps) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  const zone = useUserZone();
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="group" aria-label={t('Attempts')}>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{t('Time')}</TableCell>
            <TableCell>{t('Result')}</TableCell>
            <TableCell align="right">{t('Duration (ms)')}</TableCell>
            <TableCell>{t('Answer')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {attempts.map(({ atMs, tookMs, outcome, answer }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts have no other name, and are only added
            <TableRow key={at}>
              <TableCell sx={{ whiteSpace: 'nowrap' }}>{formatTimestamp(atMs, zone)}</TableCell>
              <TableCell>{attemptOutcomeText(outcome)}</TableCell>
              <TableCell align="right" sx={{ fontVariantNumeric: 'tabular-nums' }}>
                {NUMBER.format(tookMs)}
              </TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere', minWidth: 160 }}>{answer}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
