import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { requestSync } from '../../api/sync.ts';
import { syncStreamText } from '../../i18n/syncText.ts';
import { deviceOption, optionsOf } from '../../live/fleetOptions.ts';
import { useLiveFleet } from '../../live/pageLive.ts';
import { MAX_DEVICE_CHANNELS } from '../../protocol/api/devices.ts';
import { SYNC_STREAMS, type SyncRequestOutcome } from '../../protocol/sync/syncWords.ts';
import { COLUMNS } from '../form/columns.ts';
import { DateTimeInput } from '../form/DateTimeInput.tsx';
import { FormDialog } from '../form/FormDialog.tsx';
import { ManyInput } from '../form/ManyInput.tsx';
import { PickInput } from '../form/PickInput.tsx';
import { SelectInput } from '../form/SelectInput.tsx';
import { useForm } from '../form/useForm.ts';
import { notify } from '../notifications.tsx';
import { checkFetch, type FetchDraft, requestOfDraft } from './fetchForm.ts';

export interface FetchDialogProps {
  /** What is asked for at first. */
  readonly draft: Partial<FetchDraft>;
  /** The gateway has taken the request, and the user has been notified. */
  readonly onRequested: () => void;
  readonly onClose: () => void;
}

/** Asks for what a device has recorded. The page loads the namespaces `FetchRecordings` and `SyncWords`. */
export function FetchDialog({ draft, onRequested, onClose }: FetchDialogProps) {
  const { t } = useTranslation('FetchRecordings');
  const { devices } = useLiveFleet();
  const options = useMemo(() => optionsOf(devices.values(), deviceOption), [devices]);
  const texts = {
    noDevice: t('Select a device.'),
    noTime: t('Enter a date and a time.'),
    wrongOrder: t('The end must be after the start.'),
    tooLong: t('A request covers at most 24 hours.'),
  };
  const outcomes: Readonly<Record<SyncRequestOutcome, string>> = {
    planned: t('Recordings requested.'),
    queued: t('It is in the queue already.'),
    here: t('The server has all of it already.'),
    lost: t('The device no longer has what the server lacks.'),
  };
  const form = useForm<FetchDraft>({
    initial: { deviceid: '', channels: [], stream: 'any', fromMs: null, toMs: null, ...draft },
    check: (values) => checkFetch(values, texts),
    guarded: false,
  });
  const chosen = devices.get(form.values.deviceid);
  // A device that hasn't reported its channels yet, and has none set by hand, may have any.
  const channelCount = chosen === undefined ? 0 : chosen.chn || MAX_DEVICE_CHANNELS;
  const device = form.field('deviceid');
  const channels = form.field('channels');
  const ask = async () => {
    const requested = await form.submit((values) => requestSync(requestOfDraft(values)));
    if (requested === undefined) return;
    notify(requested.outcome === 'lost' ? 'warning' : 'success', outcomes[requested.outcome]);
    onRequested();
  };
  return (
    <FormDialog
      title={t('Fetch recordings from a device')}
      form={form}
      always
      saveLabel={t('Fetch')}
      onSubmit={() => void ask()}
      onClose={onClose}
    >
      <PickInput
        field={{ ...device, onChange: (deviceid) => form.change({ deviceid, channels: [] }) }}
        label={t('Device')}
        required
        options={options}
      />
      <ManyInput
        field={channelCount === 0 ? { ...channels, disabled: true } : channels}
        label={t('Channels')}
        hint={t('Leave empty for all channels.')}
        options={Array.from({ length: channelCount }, (_, at) => ({ value: String(at + 1), label: String(at + 1) }))}
      />
      <Box sx={COLUMNS}>
        <DateTimeInput field={form.field('fromMs')} label={t('From')} required />
        <DateTimeInput field={form.field('toMs')} label={t('To')} required />
      </Box>
      <SelectInput
        field={form.field('stream')}
        label={t('Stream')}
        options={SYNC_STREAMS.map((value) => ({ value, label: syncStreamText(value) }))}
        hint={t('It is fetched before what rules plan, as soon as the device is online.')}
      />
    </FormDialog>
  );
}
