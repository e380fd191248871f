// A file of fences: chosen, tried without a change, shown row by row and on a map, and imported exactly as shown.
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
import { type ChangeEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FenceImportPlan } from '../../../../shared/protocol/api/fences/fences.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { EncodingChoice } from '../../../../shared/ui/plannedRows/EncodingChoice.tsx';
import { GuessedEncoding } from '../../../../shared/ui/plannedRows/GuessedEncoding.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { visuallyHidden } from '../../../../shared/ui/visuallyHidden.ts';
import { ImportSizeInputs } from './ImportSizeInputs.tsx';
import { PlanMap } from './PlanMap.tsx';
import { PlanRows } from './PlanRows.tsx';
import { useFenceImport } from './useFenceImport.ts';

export interface FenceImportDialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function FenceImportDialog({ onDone, onClose }: FenceImportDialogProps) {
  const { t } = useTranslation(['FenceSetting', 'Common']);
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const work = useFenceImport();
  const { plan, isBusy } = work;
  const [pointed, setPointed] = useState<number>();
  const due = plan === undefined ? 0 : plan.counts.added + plan.counts.changed;
  const apply = async () => {
    const counts = await work.apply();
    if (counts === undefined) return;
    notify('info', t('Geofences imported. Added: {{added}}, changed: {{changed}}.', { ...counts }));
    onDone();
  };
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="lg" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Import geofences')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography sx={{ fontSize: 14, color: 'text.secondary' }}>
          {t(
            'Select a GeoJSON, KML, GPX, or CSV file of up to 5 MB and 1,000 geofences. You see a preview of every row before anything is changed. A geofence with the same name is changed.',
          )}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
          <FileButton name={work.file?.name} onChoose={work.choose} />
          <ImportSizeInputs sizes={work.sizes} onChange={work.setSizes} />
          <EncodingChoice value={work.encoding} onChange={work.setEncoding} />
        </Box>
        <Box aria-live="polite" sx={{ display: 'grid', gap: 1 }}>
          {work.failure !== undefined && <Alert severity="error">{work.failure}</Alert>}
          {work.isStale && (
            <Alert severity="warning">
              {t(
                'Another user has changed geofences, so nothing was imported. Check the new preview and import again.',
              )}
            </Alert>
          )}
          {plan?.isGuess === true && (
            <GuessedEncoding encoding={plan.encoding} names={plan.rows.map(({ name }) => name)} />
          )}
          {plan !== undefined && <Counts plan={plan} />}
        </Box>
        {isBusy && <LinearProgress aria-label={t('Reading the file…')} />}
        {plan !== undefined && (
          <Box sx={PLAN}>
            <PlanMap plan={plan} pointed={pointed} onPoint={setPointed} />
            <PlanRows rows={plan.rows} pointed={pointed} onPoint={setPointed} />
          </Box>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('Cancel', { ns: 'Common' })}</Button>
        <Button variant="contained" disabled={due === 0 || isBusy} onClick={() => void apply()}>
          {due === 0 ? t('Import') : t('Import ({{count}})', { count: due })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const PLAN = {
  display: 'grid',
  gap: 1.5,
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) minmax(0, 1fr)' },
} as const;

interface FileButtonProps {
  readonly name: string | undefined;
  readonly onChoose: (file: File) => void;
}

/** The input has the focus and the keys, the button is what is seen of it. */
function FileButton({ name, onChoose }: FileButtonProps) {
  const { t } = useTranslation('FenceSetting');
  return (
    <Button {...LABEL} variant="outlined" startIcon={<UploadFile />} sx={FILE_BUTTON}>
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {name ?? t('Select file')}
      </Box>
      <Box
        component="input"
        type="file"
        accept=".geojson,.json,.kml,.gpx,.csv,.txt"
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

function Counts({ plan: { counts, format } }: { readonly plan: FenceImportPlan }) {
  const { t } = useTranslation('FenceSetting');
  const text = t('Add: {{added}}, change: {{changed}}, no change: {{unchanged}}, reject: {{refused}}', { ...counts });
  const parts = [`${text} (${format})`, ...(counts.refused > 0 ? [t("Rejected rows aren't imported.")] : [])];
  return <Alert severity={counts.refused > 0 ? 'warning' : 'info'}>{parts.join(' · ')}</Alert>;
}
