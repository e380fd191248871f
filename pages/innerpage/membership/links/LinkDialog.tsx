import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findLinkDevices, makeLink } from '../../../../shared/api/links.ts';
import {
  LINK_CHANNELS_MAX,
  LINK_KINDS,
  LINK_NOTE_MAX,
  type LinkDevice,
  type LinkKind,
  type MadeLink,
} from '../../../../shared/protocol/api/links.ts';
import { ChoiceInput } from '../../../../shared/ui/form/ChoiceInput.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { MomentInput } from '../../../../shared/ui/form/MomentInput.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { useKindName } from './kindNames.ts';
import { checkDraft, firstDraft, linkOfDraft } from './linkForm.ts';

export interface LinkDialogProps {
  readonly onMade: (link: MadeLink, kinds: readonly LinkKind[]) => void;
  readonly onClose: () => void;
}

const SEARCH_PAUSE_MS = 250;

export function LinkDialog({ onMade, onClose }: LinkDialogProps) {
  const { t } = useTranslation('Links');
  const kindName = useKindName();
  const [initial] = useState(() => firstDraft(Date.now()));
  const texts = {
    noDevice: t('Choose a device.'),
    noChannel: t('Choose at least one channel.'),
    noKind: t('Choose what the link opens.'),
    alone: t('This needs live view or playback beside it.'),
    badMoment: t('This is no date and time.'),
    past: t('This moment has passed.'),
  };
  const form = useForm({ initial, check: (draft) => checkDraft(draft, texts, Date.now()) });
  const { devices, isLoading, search } = useDevices();
  const device = devices.find(({ deviceid }) => deviceid === form.values.deviceid);

  const choose = (deviceid: string) => {
    const chosen = devices.find((each) => each.deviceid === deviceid);
    form.change({ deviceid, channels: channelsOf(chosen) });
  };
  const save = async () => {
    const made = await form.submit((draft) => makeLink(linkOfDraft(draft)));
    if (made !== undefined) onMade(made, form.values.kinds);
  };
  return (
    <FormDialog
      title={t('New link')}
      form={form}
      saveLabel={t('Make the link')}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <PickInput
        field={{ ...form.field('deviceid'), onChange: choose }}
        label={t('Device')}
        hint={t('Type a part of its name, plate or id.')}
        required
        loading={isLoading}
        options={devices.map(({ deviceid, name, plate }) => ({
          value: deviceid,
          label: [name || deviceid, plate, name === '' ? '' : deviceid].filter((text) => text !== '').join(' · '),
        }))}
        onType={search}
      />
      <ChoiceInput
        field={form.field('channels')}
        label={t('Channels')}
        required
        hint={device === undefined ? t('First choose a device.') : undefined}
        options={channelsOf(device).map((channel) => ({ value: channel, label: channel }))}
      />
      <ChoiceInput
        field={form.field('kinds')}
        label={t('The link opens')}
        required
        options={LINK_KINDS.map((kind) => ({ value: kind, label: kindName(kind) }))}
      />
      <MomentInput
        field={form.field('untilMs')}
        label={t('Until')}
        hint={t('Empty: until it is revoked.')}
        disablePast
      />
      <TextInput
        field={form.field('note')}
        label={t('Note')}
        hint={t('For whom or what it is, to know it again in the list.')}
        maxLength={LINK_NOTE_MAX}
      />
    </FormDialog>
  );
}

/** All of a device's channels; of one that has told of none yet, any. */
function channelsOf(device: LinkDevice | undefined): string[] {
  if (device === undefined) return [];
  const count = device.chn === 0 ? LINK_CHANNELS_MAX : Math.min(device.chn, LINK_CHANNELS_MAX);
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

/** Devices for what is typed, asked for once typing pauses. */
function useDevices() {
  const [text, search] = useState('');
  const [devices, setDevices] = useState<readonly LinkDevice[]>([]);
  const [isLoading, setLoading] = useState(true);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      setLoading(true);
      const result = await findLinkDevices(text, abort.signal);
      if (abort.signal.aborted) return;
      setLoading(false);
      if (result.ok) setDevices(result.value);
    }, SEARCH_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return { devices, isLoading, search };
}
