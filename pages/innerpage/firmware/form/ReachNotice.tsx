import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { getFirmwareReach } from '../../../../shared/api/firmware/tasks.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { FirmwareReach, FirmwareTargets } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { useSettled } from '../../../../shared/ui/records/useSettled.ts';
import { useFaultText } from '../words/deviceTexts.ts';

/** Typing counts as finished when nothing was typed for this long. */
const PAUSE_MS = 400;

/** How many devices the task would update now, and why it would leave out the others. */
export function ReachNotice({ targets }: { readonly targets: FirmwareTargets }) {
  const { t } = useTranslation('Firmware');
  // Compared as text: another object with the same targets is not another query.
  const settled = useSettled(JSON.stringify(targets), PAUSE_MS);
  const asked = JSON.parse(settled) as FirmwareTargets;
  if (targets.image === 0) {
    return <Alert severity="info">{t('Select an image to see how many devices the task reaches.')}</Alert>;
  }
  return asked.image === 0 ? <Counting /> : <Reach asked={asked} />;
}

function Reach({ asked }: { readonly asked: FirmwareTargets }) {
  const { value, failure, isLoading } = useRecord({
    key: ['firmware-reach', asked],
    load: (signal) => getFirmwareReach(asked, signal),
    keepsOther: true,
  });
  if (failure !== undefined) return <Alert severity="warning">{errorText(failure)}</Alert>;
  return value === undefined ? <Counting /> : <Counts reach={value} isBusy={isLoading} />;
}

function Counting() {
  const { t } = useTranslation('Firmware');
  return <Alert severity="info">{t('Counting the devices…')}</Alert>;
}

function Counts({ reach, isBusy }: { readonly reach: FirmwareReach; readonly isBusy: boolean }) {
  const { t } = useTranslation('Firmware');
  const faultText = useFaultText();
  const { devices, fitting, unfitting } = reach;
  return (
    <Alert severity={fitting === 0 ? 'warning' : 'info'} role="status" aria-busy={isBusy}>
      {t('Devices to update: {{fitting}} of {{devices}}', { fitting, devices })}
      {unfitting.map(({ fault, devices: number }) => (
        <div key={fault}>{t('Left out: {{number}} ({{reason}})', { number, reason: faultText(fault) })}</div>
      ))}
    </Alert>
  );
}
