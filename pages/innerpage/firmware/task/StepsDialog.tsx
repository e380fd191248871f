import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { getFirmwareSteps } from '../../../../shared/api/firmware/tasks.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { FirmwareDevice, FirmwareSteps } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { bytesText } from '../../../../shared/ui/files/bytesText.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { useLiveFirmware } from '../useLiveFirmware.ts';
import { deviceText, useCauseText, useDeviceStateText } from '../words/deviceTexts.ts';

export interface StepsDialogProps {
  readonly device: FirmwareDevice;
  readonly onClose: () => void;
}

/** What happened with one device of a task, the latest first. */
export function StepsDialog({ device, onClose }: StepsDialogProps) {
  const { t } = useTranslation(['Firmware', 'Common']);
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const { value, failure, reload } = useRecord({
    key: ['firmware-steps', device.id],
    load: (signal) => getFirmwareSteps(device.id, signal),
  });
  useLiveFirmware(reload);
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="sm" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {t('Log of {{name}}', { name: deviceText(device) })}
      </DialogTitle>
      <DialogContent tabIndex={0} aria-labelledby={titleId}>
        {failure !== undefined && <Alert severity="error">{errorText(failure)}</Alert>}
        {value === undefined && failure === undefined && <Waiting />}
        {value?.length === 0 && <Typography>{t('Nothing has happened yet.')}</Typography>}
        {value !== undefined && value.length > 0 && <Steps steps={value} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button autoFocus onClick={onClose}>
          {t('Close', { ns: 'Common' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Steps({ steps }: { readonly steps: FirmwareSteps }) {
  return (
    <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
      {[...steps.entries()].map(([at, step]) => (
        // Steps have no number of their own, and new ones come first: from the end they keep their place.
        <Step key={steps.length - at} step={step} />
      ))}
    </Box>
  );
}

function Step({ step }: { readonly step: FirmwareSteps[number] }) {
  const { t } = useTranslation('Firmware');
  const zone = useUserZone();
  const stateText = useDeviceStateText();
  const cause = useCauseText()(step);
  const { attempt, sentBytes, detail } = step;
  const details = [
    attempt > 0 && t('Attempt {{number}}', { number: attempt }),
    sentBytes > 0 && t('Sent: {{bytes}}', { bytes: bytesText(sentBytes) }),
    detail,
  ].filter((text) => text !== false && text !== '');
  return (
    <Box component="li" sx={STEP}>
      <Box sx={{ fontSize: 13, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
        {formatTimestamp(step.atMs, zone)}
      </Box>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box component="span" sx={{ fontWeight: 650 }}>
          {stateText(step.state)}
        </Box>
        {cause !== '' && ` · ${cause}`}
        {details.length > 0 && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{details.join(' · ')}</Box>}
      </Box>
    </Box>
  );
}

const STEP = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: '160px minmax(0, 1fr)' },
  columnGap: 1.5,
  pb: 1,
  borderBottom: 1,
  borderColor: 'divider',
} as const;
