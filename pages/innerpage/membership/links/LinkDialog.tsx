import { useState } from 'react';
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
import { Permission } from '../../../../shared/protocol/permissions.ts';
import { ChoiceInput } from '../../../../shared/ui/form/ChoiceInput.tsx';
import { DateTimeInput } from '../../../../shared/ui/form/DateTimeInput.tsx';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { useSettled } from '../../../../shared/ui/records/useSettled.ts';
import { usePermission } from '../../../../shared/ui/session.ts';
import { useKindName } from './kindNames.ts';
import { checkDraft, firstDraft, type LinkTexts, linkOfDraft } from './linkForm.ts';

export interface LinkDialogProps {
  readonly onMade: (link: MadeLink, kinds: readonly LinkKind[]) => void;
  readonly onClose: () => void;
}

const SEARCH_PAUSE_MS = 250;

export function LinkDialog({ onMade, onClose }: LinkDialogProps) {
  const { t } = useTranslation('Links');
  const kindName = useKindName();
  const [initial] = useState(() => firstDraft(Date.now()));
  const texts = useProblemTexts();
  const kinds = useGivableKinds();
  const mayTalk = usePermission(Permission.Talk);
  const form = useForm({ initial, check: (draft) => checkDraft(draft, texts, Date.now()) });
  const { devices, isLoading, search } = useDevices();
  // Kept beside the list, which is soon one of other devices.
  const [device, setDevice] = useState<LinkDevice>();

  const choose = (deviceid: string) => {
    const chosen = devices.find((each) => each.deviceid === deviceid);
    setDevice(chosen);
    form.change({ deviceid, channels: channelsOf(chosen) });
  };
  const save = async () => {
    const made = await form.submit((draft) => makeLink(linkOfDraft(draft)));
    if (made !== undefined) onMade(made, form.values.kinds);
  };
  return (
    <FormDialog
      title={t('Create share link')}
      form={form}
      saveLabel={t('Create')}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <PickInput
        field={{ ...form.field('deviceid'), onChange: choose }}
        label={t('Device')}
        hint={t('Enter part of its name, plate number, or device ID.')}
        required
        loading={isLoading}
        options={withDevice(devices, device).map(optionOf)}
        onType={search}
      />
      <ChoiceInput
        field={form.field('channels')}
        label={t('Channels')}
        required
        hint={device === undefined ? t('Select a device first.') : undefined}
        options={channelsOf(device).map((channel) => ({ value: channel, label: channel }))}
      />
      <ChoiceInput
        field={form.field('kinds')}
        label={t('Access')}
        required
        hint={mayTalk ? undefined : t('Talk only works while you have permission for it.')}
        options={kinds.map((kind) => ({ value: kind, label: kindName(kind) }))}
      />
      <DateTimeInput
        field={form.field('untilMs')}
        label={t('Expiry')}
        hint={t('Leave empty for no expiry.')}
        disablePast
      />
      <TextInput
        field={form.field('note')}
        label={t('Note')}
        hint={t('Who the link is for')}
        maxLength={LINK_NOTE_MAX}
      />
    </FormDialog>
  );
}

function useProblemTexts(): LinkTexts {
  const { t } = useTranslation('Links');
  return {
    noDevice: t('Select a device.'),
    noChannel: t('Select at least one channel.'),
    noKind: t('Select what the link gives access to.'),
    alone: t('Also select live view or playback.'),
    badTimestamp: t('Enter a date and time, such as 2025-03-31 18:00.'),
    past: t('Enter a time in the future.'),
  };
}

/** Nobody gives away what they do not have. */
function useGivableKinds(): readonly LinkKind[] {
  const mayExport = usePermission(Permission.Export);
  return LINK_KINDS.filter((kind) => kind !== 'export' || mayExport);
}

function withDevice(devices: readonly LinkDevice[], chosen: LinkDevice | undefined): readonly LinkDevice[] {
  const isListed = devices.some(({ deviceid }) => deviceid === chosen?.deviceid);
  return chosen === undefined || isListed ? devices : [chosen, ...devices];
}

function optionOf({ deviceid, name, plate }: LinkDevice): Option<string> {
  const parts = [name || deviceid, plate, name === '' ? '' : deviceid];
  return { value: deviceid, label: parts.filter((text) => text !== '').join(' · ') };
}

/** All of a device's channels; any for a device that hasn't reported its channels yet. */
function channelsOf(device: LinkDevice | undefined): string[] {
  if (device === undefined) return [];
  const count = device.chn === 0 ? LINK_CHANNELS_MAX : Math.min(device.chn, LINK_CHANNELS_MAX);
  return Array.from({ length: count }, (_, at) => String(at + 1));
}

const NO_DEVICES: readonly LinkDevice[] = [];

/** Devices for what is typed, asked for once typing pauses. */
function useDevices() {
  const [typed, search] = useState('');
  const text = useSettled(typed, SEARCH_PAUSE_MS);
  const { value = NO_DEVICES, isLoading } = useRecord({
    key: ['link-devices', text],
    load: (signal) => findLinkDevices(text, signal),
    keepsOther: true,
  });
  return { devices: value, isLoading, search };
}
