import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { auditActionText } from '../../../../shared/i18n/auditActionText.ts';
import type { AuditRow } from '../../../../shared/protocol/api/audit.ts';
import { formatTimestampWithZone } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { FactList } from '../../../../shared/ui/frame/FactList.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { changeRows, detailRows } from './changeRows.ts';
import { useFieldWords } from './fieldWords.ts';

export interface AuditEntryDialogProps {
  readonly entry: AuditRow;
  /** Shows all entries of the same actor, or of the same target. */
  readonly onActor: (actor: string) => void;
  readonly onTarget: (target: string) => void;
  readonly onClose: () => void;
}

/** All that is known of one entry. */
export function AuditEntryDialog({ entry, onActor, onTarget, onClose }: AuditEntryDialogProps) {
  const { t } = useTranslation(['Audit', 'Common']);
  const zone = useUserZone();
  const words = useFieldWords();
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const { actor, action, target, address, atMs, detail } = entry;
  const facts: readonly (readonly [string, string])[] = [
    [t('Time'), formatTimestampWithZone(atMs, zone)],
    [t('Performed by'), actor || t('Not signed in')],
    [t('Target'), target],
    [t('Source IP'), address],
    ...detailRows(detail, words).map(({ field, text }) => [field, text] as const),
  ];
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="md" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{auditActionText(action)}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, alignContent: 'start' }}>
        <FactList facts={facts} />
        <Changes entry={entry} />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', gap: 1 }}>
        {actor !== '' && <Button onClick={() => onActor(actor)}>{t('Show all by {{actor}}', { actor })}</Button>}
        {target !== '' && (
          <Button onClick={() => onTarget(target)}>{t('Show all about {{target}}', { target })}</Button>
        )}
        <Button variant="contained" onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Changes({ entry }: { readonly entry: AuditRow }) {
  const { t } = useTranslation('Audit');
  const rows = changeRows(entry, useFieldWords());
  if (rows.length === 0) return null;
  // What was added had nothing before, and what was removed has nothing after.
  const hasBefore = rows.some(({ before }) => before !== undefined);
  const hasAfter = rows.some(({ after }) => after !== undefined);
  return (
    <Box sx={{ overflowX: 'auto' }} tabIndex={0} role="region" aria-label={t('Changes')}>
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{t('Field')}</TableCell>
            {hasBefore && <TableCell>{t('Before')}</TableCell>}
            {hasAfter && <TableCell>{t('After')}</TableCell>}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ field, before, after }) => (
            <TableRow key={field}>
              <TableCell component="th" scope="row" sx={{ minWidth: 96, verticalAlign: 'top' }}>
                {field}
              </TableCell>
              {hasBefore && <TableCell sx={VALUE}>{before}</TableCell>}
              {hasAfter && <TableCell sx={VALUE}>{after}</TableCell>}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}

const VALUE = { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', verticalAlign: 'top' } as const;
