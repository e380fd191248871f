// Parts of a backup: chosen, tried without a change, shown record by record, and imported exactly as shown.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PartsImport } from '../../../../shared/protocol/api/system/backupParts.ts';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import type { BackupPart } from '../../../../shared/protocol/backup/partWords.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { PartChoices } from './PartChoices.tsx';
import { PartRows } from './PartRows.tsx';
import { type PartsImportControl, usePartsImport } from './usePartsImport.ts';
import { usePartTexts } from './usePartTexts.ts';

export interface PartsDialogProps {
  readonly backup: Backup;
  readonly onClose: () => void;
}

export function PartsDialog({ backup, onClose }: PartsDialogProps) {
  const { t } = useTranslation('BackupParts');
  const work = usePartsImport(backup.id);
  const [parts, setParts] = useState<readonly BackupPart[]>([]);
  const [key, setKey] = useState('');
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const { current, failure } = work;
  const isChoosing = current === undefined || current.state === 'failed';
  const close = () => {
    // A running import continues; its rows are in the audit log.
    if (current?.state !== 'importing') work.drop();
    onClose();
  };
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="md" onClose={close} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Import parts of a backup')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Box aria-live="polite" sx={{ display: 'grid', gap: 1 }}>
          {failure !== undefined && <Alert severity="error">{failure}</Alert>}
          {current !== undefined && <StateNotice current={current} />}
        </Box>
        {isChoosing && (
          <PartChoices
            isEncrypted={backup.encryption !== 'none'}
            parts={parts}
            onParts={setParts}
            secret={key}
            onSecret={setKey}
          />
        )}
        {work.isBusy && <LinearProgress aria-label={t('Import parts of a backup')} />}
        {!isChoosing && current.rows.length > 0 && <PartRows rows={current.rows} />}
      </DialogContent>
      <PartActions
        work={work}
        isChoosing={isChoosing}
        canPlan={parts.length > 0}
        onPlan={() => work.plan(parts, key)}
        onClose={close}
      />
    </Dialog>
  );
}

interface PartActionsProps {
  readonly work: PartsImportControl;
  readonly isChoosing: boolean;
  readonly canPlan: boolean;
  readonly onPlan: () => void;
  readonly onClose: () => void;
}

function PartActions({ work, isChoosing, canPlan, onPlan, onClose }: PartActionsProps) {
  const { t } = useTranslation(['BackupParts', 'Common']);
  const { current, isBusy } = work;
  const isOver = current?.state === 'done' || current?.state === 'importing';
  const due = current === undefined ? 0 : current.counts.added + current.counts.changed;
  return (
    <DialogActions sx={{ px: 3, pb: 2 }}>
      <Button onClick={onClose}>{isOver ? t('Close', { ns: 'Common' }) : t('Cancel', { ns: 'Common' })}</Button>
      {isChoosing && (
        <Button variant="contained" disabled={!canPlan || isBusy} onClick={onPlan}>
          {t('Preview')}
        </Button>
      )}
      {current?.state === 'ready' && (
        <>
          <Button onClick={work.drop}>{t('Back')}</Button>
          <Button variant="contained" disabled={due === 0 || isBusy} onClick={work.apply}>
            {t('Import ({{count}})', { count: due })}
          </Button>
        </>
      )}
    </DialogActions>
  );
}

function StateNotice({ current }: { readonly current: PartsImport }) {
  const { t } = useTranslation('BackupParts');
  const { archiveFault } = usePartTexts();
  const { state, fault, counts, imported, rowsLeftOut, rowsRead } = current;
  const more = rowsLeftOut > 0 ? ` ${t('Records not shown: {{rowsLeftOut}}', { rowsLeftOut })}` : '';
  const sum = { ...imported };
  switch (state) {
    case 'running':
      return <Box>{t('Reading the backup. Rows so far: {{rowsRead}}', { rowsRead })}</Box>;
    case 'failed':
      return <Alert severity="error">{archiveFault(fault)}</Alert>;
    case 'ready':
      return (
        <Alert severity={counts.refused > 0 ? 'warning' : 'info'}>
          {t('Add: {{added}}, change: {{changed}}, no change: {{unchanged}}, reject: {{refused}}', { ...counts })}
          {more}
        </Alert>
      );
    case 'importing':
      return <Box>{t('Importing. Added: {{added}}, changed: {{changed}}, failed: {{failed}}', sum)}</Box>;
    case 'done':
      return (
        <Alert severity={imported.failed > 0 ? 'warning' : 'success'}>
          {t('Imported. Added: {{added}}, changed: {{changed}}, failed: {{failed}}', sum)}
          {more}
        </Alert>
      );
  }
}
