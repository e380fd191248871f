import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { liftPlan } from '../../../../shared/api/netflow/netflow.ts';
import { planActionText } from '../../../../shared/i18n/netflowText.ts';
import type { NetflowDevice } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';

export interface LiftDialogProps {
  readonly device: NetflowDevice;
  readonly onDone: (isLifted: boolean) => void;
  readonly onClose: () => void;
}

const HOURS = [1, 4, 24, 72, 168] as const;
const MAX_REASON = 200;

/** Lifts what the plan does for some hours, or ends that. Who did it and why is in the audit. */
export function LiftDialog({ device, onDone, onClose }: LiftDialogProps) {
  const { t } = useTranslation('Netflow');
  const { deviceid } = device;
  const name = device.name === '' ? deviceid : device.name;
  const isLifted = device.liftedUntilMs > Date.now();
  const [hours, setHours] = useState<number>(HOURS[0]);
  const [reason, setReason] = useState('');
  const [isVisited, setVisited] = useState(false);
  const isMissing = reason.trim() === '';
  const lift = async () => {
    setVisited(true);
    if (isMissing) return undefined;
    return liftPlan({ deviceid, hours: isLifted ? 0 : hours, reason: reason.trim() });
  };
  return (
    <ConfirmDialog
      title={isLifted ? t('End the lift of {{name}}?', { name }) : t('Lift the limit of {{name}}?', { name })}
      text={
        isLifted
          ? t('What the data plan says holds again at once.')
          : t('The data plan says: {{action}}. Until the lift ends, more data than planned is used.', {
              action: planActionText(device.action),
            })
      }
      action={isLifted ? t('End lift') : t('Lift')}
      onConfirm={lift}
      onDone={() => onDone(!isLifted)}
      onClose={onClose}
    >
      {!isLifted && (
        <TextField
          select
          fullWidth
          size="small"
          label={t('For')}
          value={hours}
          onChange={(event) => setHours(Number(event.target.value))}
          slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        >
          {HOURS.map((value) => (
            <option key={value} value={value}>
              {value < 48 ? t('{{number}} h', { number: value }) : t('{{number}} days', { number: value / 24 })}
            </option>
          ))}
        </TextField>
      )}
      <TextField
        fullWidth
        required
        size="small"
        label={t('Reason')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onBlur={() => setVisited(true)}
        error={isVisited && isMissing}
        helperText={isVisited && isMissing ? t('Enter a reason.') : undefined}
        slotProps={{ htmlInput: { maxLength: MAX_REASON } }}
      />
    </ConfirmDialog>
  );
}
