import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { restartTerminal } from '../../../../shared/api/firmware/tasks.ts';
import type { FirmwareDevice } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { TerminalRestart } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';

export type RestartedDevice = Pick<FirmwareDevice, 'deviceid' | 'name' | 'plate'>;

export interface RestartDialogProps {
  readonly device: RestartedDevice;
  readonly act: TerminalRestart;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const MAX_LENGTH = { plate: 100, reason: 200 } as const;

/** Restarts one terminal, or resets it, once the vehicle's plate number has been typed: rows are easily mistaken. */
export function RestartDialog({ device, act, onDone, onClose }: RestartDialogProps) {
  const { t } = useTranslation('Firmware');
  const [plate, setPlate] = useState('');
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const expected = device.plate || device.deviceid;
  const isOther = plate.trim() !== expected;
  const isUnreasoned = reason.trim() === '';
  const texts = useRestartTexts(device.name || device.deviceid)[act];
  const confirm = async () => {
    setTried(true);
    if (isOther || isUnreasoned) return undefined;
    return restartTerminal({ deviceid: device.deviceid, act, plate: plate.trim(), reason: reason.trim() });
  };
  return (
    <ConfirmDialog {...texts} danger onConfirm={confirm} onDone={onDone} onClose={onClose}>
      <TextField
        label={device.plate === '' ? t('Device ID') : t('Plate number')}
        required
        value={plate}
        autoComplete="off"
        onChange={(event) => setPlate(event.target.value)}
        error={isTried && isOther}
        helperText={t('Enter {{text}} to confirm.', { text: expected })}
        slotProps={{ htmlInput: { maxLength: MAX_LENGTH.plate, spellCheck: false, autoCapitalize: 'none' } }}
        sx={{ mt: 1 }}
      />
      <TextField
        label={t('Reason')}
        required
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={isTried && isUnreasoned}
        helperText={isTried && isUnreasoned ? t('Enter a reason.') : t('It is kept in the audit log.')}
        slotProps={{ htmlInput: { maxLength: MAX_LENGTH.reason } }}
      />
    </ConfirmDialog>
  );
}

interface RestartTexts {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

function useRestartTexts(name: string): Readonly<Record<TerminalRestart, RestartTexts>> {
  const { t } = useTranslation('Firmware');
  return {
    restart: {
      title: t('Restart {{name}}?', { name }),
      text: t(
        "The terminal switches off and on again. For some minutes it records nothing and can't be reached. An update that is being sent is interrupted.",
      ),
      action: t('Restart'),
    },
    'factory-reset': {
      title: t('Reset {{name}} to factory settings?', { name }),
      text: t(
        "The terminal loses its settings, the server's address among them. It may connect again only after it has been set up at the vehicle. This can't be undone.",
      ),
      action: t('Reset to factory settings'),
    },
  };
}
