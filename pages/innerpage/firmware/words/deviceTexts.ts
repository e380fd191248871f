// A device by its name, and its outcome in a task, in the user's language.
import { useTranslation } from 'react-i18next';
import type { FirmwareDevice } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type {
  FirmwareDeviceState,
  FirmwareFault,
  FirmwareWait,
} from '../../../../shared/protocol/firmware/firmwareWords.ts';

export function deviceText({ name, deviceid, plate }: Pick<FirmwareDevice, 'name' | 'deviceid' | 'plate'>): string {
  const label = name || deviceid;
  return plate === '' ? label : `${label} (${plate})`;
}

export function useDeviceStateText(): (state: FirmwareDeviceState) => string {
  const { t } = useTranslation('Firmware');
  const texts: Readonly<Record<FirmwareDeviceState, string>> = {
    queued: t('Queued'),
    waiting: t('Waiting'),
    sending: t('Sending'),
    sent: t('Sent'),
    rebooting: t('Restarting'),
    verifying: t('Verifying'),
    done: t('Done'),
    failed: t('Failed'),
    refused: t('Rejected'),
    canceled: t('Canceled'),
    skipped: t('Skipped'),
  };
  return (state) => texts[state];
}

function useWaitText(): (wait: FirmwareWait) => string {
  const { t } = useTranslation('Firmware');
  const texts: Readonly<Record<FirmwareWait, string>> = {
    '': '',
    online: t('Until the device is online'),
    window: t('Until the hours or days of the task'),
    parked: t('Until the vehicle has been parked long enough'),
    ignition: t('Until the ignition is as required'),
    viewers: t('Until its video is no longer watched'),
    signal: t('Until the signal is strong enough'),
    plan: t('Until its data plan has enough left'),
    turn: t('Until other devices are finished'),
    retry: t('Until the next attempt'),
  };
  return (wait) => texts[wait];
}

/** Why a device failed, was refused or left out. */
export function useFaultText(): (fault: FirmwareFault) => string {
  const { t } = useTranslation('Firmware');
  const texts: Readonly<Record<FirmwareFault, string>> = {
    '': '',
    'no-answer': t("The terminal didn't answer"),
    disconnected: t('The connection was lost'),
    refused: t('The terminal rejected the update'),
    'not-supported': t("The terminal doesn't support this method"),
    'terminal-failed': t('The terminal reported a failure'),
    'terminal-canceled': t('The update was canceled at the terminal'),
    'same-version': t('The version is the same as before'),
    'older-version': t('The version is older than before'),
    'not-back': t("The terminal didn't come back within an hour"),
    'model-mismatch': t("The image isn't for this model"),
    'hardware-mismatch': t("The image isn't for this hardware version"),
    'version-too-old': t('The installed version is too old for the image'),
    'already-installed': t('The version is already installed'),
    removed: t('The device left the member group'),
    'image-damaged': t("The image's file is damaged"),
    'protocol-error': t('The terminal sent an answer that makes no sense'),
    'in-other-task': t('The device is in another running task'),
    internal: t('The server had an error'),
  };
  return (fault) => texts[fault];
}

/** What more there is to say of a state: what it waits for, or why it ended. */
export function useCauseText(): (device: { readonly wait: FirmwareWait; readonly fault: FirmwareFault }) => string {
  const waitText = useWaitText();
  const faultText = useFaultText();
  return ({ wait, fault }) => [waitText(wait), faultText(fault)].filter((text) => text !== '').join(' · ');
}
