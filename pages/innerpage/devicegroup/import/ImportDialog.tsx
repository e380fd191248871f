// A file of devices: chosen, tried without a change, shown row by row, and imported exactly as shown.
import Download from '@mui/icons-material/FileDownloadOutlined';
import UploadFile from '@mui/icons-material/UploadFileOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { type ChangeEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import type { ImportPlan } from '../../../../shared/protocol/api/deviceImport.ts';
import { IMPORT_COLUMNS } from '../../../../shared/protocol/api/imports/deviceColumns.ts';
import { saveFile } from '../../../../shared/ui/files/saveFile.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { EncodingChoice } from '../../../../shared/ui/plannedRows/EncodingChoice.tsx';
import { GuessedEncoding } from '../../../../shared/ui/plannedRows/GuessedEncoding.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { visuallyHidden } from '../../../../shared/ui/visuallyHidden.ts';
import { GroupSelect } from '../tree/GroupSelect.tsx';
import { ImportRows } from './ImportRows.tsx';
import { useImport } from './useImport.ts';

export interface ImportDialogProps {
  readonly tree: GroupTree;
  readonly group: number | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ImportDialog({ tree, group, onDone, onClose }: ImportDialogProps) {
  const { t } = useTranslation(['DeviceGroup', 'Common']);
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const work = useImport(group);
  const { plan, isBusy } = work;
  const due = plan === undefined ? 0 : plan.counts.added + plan.counts.changed;
  const apply = async () => {
    const counts = await work.apply();
    if (counts === undefined) return;
    notify('info', t('Devices imported. Added: {{added}}, changed: {{changed}}.', { ...counts }));
    onDone();
  };
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="lg" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Import devices')}</DialogTitle>
      <DialogContent
        sx={{
          display: 'flex',
          flexDirection: 'column',
          gap: 2,
          ...(plan === undefined ? {} : { minHeight: { sm: '60vh' } }),
        }}
      >
        <Typography sx={{ fontSize: 14, color: 'text.secondary' }}>
          {t(
            'Select a CSV file with the columns of the export. Only deviceid is required. You see a preview of every row before anything is changed.',
          )}
        </Typography>
        <ImportChoices work={work} tree={tree} />
        <Box aria-live="polite" sx={{ display: 'grid', gap: 1 }}>
          {work.failure !== undefined && <Alert severity="error">{work.failure}</Alert>}
          {work.isStale && (
            <Alert severity="warning">
              {t('Another user has changed devices, so nothing was imported. Check the new preview and import again.')}
            </Alert>
          )}
          {plan?.isGuess === true && (
            <GuessedEncoding encoding={plan.encoding} names={plan.rows.map(({ name }) => name)} />
          )}
          {plan !== undefined && <Counts plan={plan} />}
        </Box>
        {isBusy && <LinearProgress aria-label={t('Reading the file…')} />}
        {plan !== undefined && <ImportRows rows={plan.rows} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button startIcon={<Download />} onClick={saveTemplate} sx={{ mr: 'auto' }}>
          {t('Download template')}
        </Button>
        <Button onClick={onClose}>{t('Cancel', { ns: 'Common' })}</Button>
        <Button variant="contained" disabled={due === 0 || isBusy} onClick={() => void apply()}>
          {due === 0 ? t('Import') : t('Import ({{count}})', { count: due })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The template has a byte order mark, by which spreadsheets recognize UTF-8. */
function saveTemplate(): void {
  saveFile(new Blob([`\ufeff${IMPORT_COLUMNS.join(',')}\r\n`], { type: 'text/csv' }), 'devices-template.csv');
}

function ImportChoices({ work, tree }: { readonly work: ReturnType<typeof useImport>; readonly tree: GroupTree }) {
  const { t } = useTranslation('DeviceGroup');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      <FileButton name={work.file?.name} onChoose={work.choose} />
      <EncodingChoice value={work.encoding} onChange={work.setEncoding} />
      <Box sx={{ flex: '1 1 240px' }}>
        <GroupSelect
          groups={tree.groups}
          value={work.group}
          onChange={work.setGroup}
          label={t('Group for devices without one')}
        />
      </Box>
    </Box>
  );
}

interface FileButtonProps {
  readonly name: string | undefined;
  readonly onChoose: (file: File) => void;
}

/** The input has the focus and the keys, the button is what is seen of it. */
function FileButton({ name, onChoose }: FileButtonProps) {
  const { t } = useTranslation('DeviceGroup');
  return (
    <Button {...LABEL} variant="outlined" startIcon={<UploadFile />} sx={FILE_BUTTON}>
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {name ?? t('Select file')}
      </Box>
      <Box
        component="input"
        type="file"
        accept=".csv,.txt,text/csv"
        aria-label={t('Select file')}
        sx={visuallyHidden}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          const [file] = event.target.files ?? [];
          if (file !== undefined) onChoose(file);
          // The same file again is a change too: it may have been edited.
          event.target.value = '';
        }}
      />
    </Button>
  );
}

// The input within is what keys and screen readers use, so the label around it is no button of its own.
const LABEL = { component: 'label', role: undefined, tabIndex: -1 } as const;
const FILE_BUTTON = {
  maxWidth: '100%',
  position: 'relative',
  '&:focus-within': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
} as const;

function Counts({ plan: { counts, encoding } }: { readonly plan: ImportPlan }) {
  const { t } = useTranslation('DeviceGroup');
  const text = t('Add: {{added}}, change: {{changed}}, no change: {{unchanged}}, reject: {{refused}}', { ...counts });
  const parts = [`${text} (${encoding})`, ...(counts.refused > 0 ? [t("Rejected rows aren't imported.")] : [])];
  return <Alert severity={counts.refused > 0 ? 'warning' : 'info'}>{parts.join(' · ')}</Alert>;
}
