import UploadFile from '@mui/icons-material/UploadFileOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import LinearProgress from '@mui/material/LinearProgress';
import { type ChangeEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '../files/bytesText.ts';
import { visuallyHidden } from '../visuallyHidden.ts';
import type { FileUpload, UploadState } from './useUpload.ts';

export interface UploadFieldProps {
  readonly upload: FileUpload;
  readonly problem: string | undefined;
  /** What such a file may be, said while nothing is wrong with it. */
  readonly hint: string;
  readonly disabled: boolean;
}

/** Selects a file, and shows how much of it is with the server. */
export function UploadField({ upload, problem, hint, disabled }: UploadFieldProps) {
  const { t } = useTranslation('Upload');
  const textId = useId();
  const { state } = upload;
  const failure = state.kind === 'paused' ? state.problem : undefined;
  return (
    <Box sx={{ display: 'grid', gap: 1, minWidth: 0, justifyItems: 'start' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, minWidth: 0, maxWidth: '100%' }}>
        <Button {...LABEL} variant="outlined" startIcon={<UploadFile />} disabled={disabled} sx={FILE_BUTTON}>
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {state.kind === 'none' ? t('Select file') : state.file.name}
          </Box>
          <Box
            component="input"
            type="file"
            name="upload"
            disabled={disabled}
            aria-label={t('Select file')}
            aria-describedby={textId}
            aria-invalid={problem !== undefined}
            sx={visuallyHidden}
            onChange={(event: ChangeEvent<HTMLInputElement>) => {
              const [file] = event.target.files ?? [];
              if (file !== undefined) upload.start(file);
              // The same file again is a change too: it may be another build.
              event.target.value = '';
            }}
          />
        </Button>
        {state.kind === 'running' && <Button onClick={upload.pause}>{t('Pause upload')}</Button>}
        {state.kind === 'paused' && <Button onClick={upload.resume}>{t('Resume upload')}</Button>}
        {(state.kind === 'running' || state.kind === 'paused') && (
          <Button onClick={upload.cancel}>{t('Cancel upload')}</Button>
        )}
      </Box>
      <UploadProgress state={state} />
      {failure !== undefined && <Alert severity="error">{failure}</Alert>}
      <FormHelperText id={textId} error={problem !== undefined} sx={{ m: 0 }}>
        {problem ?? hint}
      </FormHelperText>
    </Box>
  );
}

function UploadProgress({ state }: { readonly state: UploadState }) {
  const { t } = useTranslation('Upload');
  if (state.kind === 'none') return null;
  const total = state.file.size;
  const bytes = state.kind === 'done' ? total : state.bytes;
  const percent = total === 0 ? 0 : Math.floor((bytes / total) * 100);
  const amounts = { percent, bytes: bytesText(bytes) || '0 B', total: bytesText(total) };
  const texts: Readonly<Record<UploadState['kind'], string>> = {
    none: '',
    running: t('Uploading: {{percent}}% ({{bytes}} of {{total}})', amounts),
    paused: t('Upload paused at {{percent}}% ({{bytes}} of {{total}})', amounts),
    done: t('Uploaded ({{total}})', amounts),
  };
  return (
    <Box sx={{ width: '100%', display: 'grid', gap: 0.5 }}>
      <LinearProgress
        variant="determinate"
        value={percent}
        color={state.kind === 'done' ? 'success' : 'primary'}
        aria-label={t('Progress of the upload')}
      />
      <Box component="span" sx={{ fontSize: 13, fontVariantNumeric: 'tabular-nums' }}>
        {texts[state.kind]}
      </Box>
    </Box>
  );
}

// The input within is what keys and screen readers use, so the label around it is no button of its own.
const LABEL = { component: 'label', role: undefined, tabIndex: -1 } as const;
const FILE_BUTTON = {
  maxWidth: '100%',
  position: 'relative',
  '&:focus-within': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
} as const;
