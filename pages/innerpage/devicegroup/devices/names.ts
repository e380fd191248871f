import { useTranslation } from 'react-i18next';
import type { ChannelLoss } from '../../../../shared/protocol/api/connectionTest.ts';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import type { DeviceIcon, DeviceState } from '../../../../shared/protocol/api/devices.ts';
import type { DeviceValues } from './deviceForm.ts';

export function useStateName(): (state: DeviceState | 'disabled') => string {
  const { t } = useTranslation('DeviceGroup');
  const names = { online: t('Online'), offline: t('Offline'), never: t('Never connected'), disabled: t('Disabled') };
  return (state) => names[state];
}

export function useIconName(): (icon: DeviceIcon | '') => string {
  const { t } = useTranslation('DeviceGroup');
  const roads = { bus: t('Bus'), coach: t('Coach'), truck: t('Truck'), van: t('Van'), car: t('Car'), taxi: t('Taxi') };
  const others = { motorcycle: t('Motorcycle'), machine: t('Heavy equipment'), ship: t('Ship'), train: t('Train') };
  const places = { site: t('Site'), camera: t('Camera'), '': t('Device') };
  const names = { ...roads, ...others, ...places };
  return (icon) => names[icon];
}

export function useModeName(): (mode: RecordingPolicy['mode']) => string {
  const { t } = useTranslation('DeviceGroup');
  const names = { off: t('Not recorded'), always: t('Always'), ignition: t('While the ignition is on') };
  return (mode) => names[mode];
}

/** The counts of a channel that are not 0, in words; kinds that tell an administrator the same go together. */
export function useLossTexts(): (counts: ChannelLoss['counts']) => readonly string[] {
  const { t } = useTranslation('DeviceGroup');
  return (counts) => {
    const frames =
      counts['frame-gap'] + counts['frame-interrupted'] + counts['frame-size'] + counts['frame-key-missing'];
    const ignored = counts['repeated-packet'] + counts['late-packet'] + counts['foreign-packet'];
    const told: readonly (readonly [number, string])[] = [
      [counts['missing-packet'], t('Missing packets: {{count}}', asText(counts['missing-packet']))],
      [ignored, t('Ignored packets: {{count}}', asText(ignored))],
      [counts.resync, t('Unreadable data: {{count}}', asText(counts.resync))],
      [frames, t('Dropped frames: {{count}}', asText(frames))],
      [counts.group, t('Interruptions: {{count}}', asText(counts.group))],
      [counts['viewer-group'], t('Skipped for slow viewers: {{count}}', asText(counts['viewer-group']))],
    ];
    return told.flatMap(([count, text]) => (count > 0 ? [text] : []));
  };
}

/** Digits are grouped alike in every language. */
const asText = (count: number) => ({ replace: { count: COUNT.format(count) } });
const COUNT = new Intl.NumberFormat('en-US');

/** The fields' labels, the same in the form, in the table and where two edits meet. */
export function useFieldLabels(): Readonly<Record<keyof DeviceValues, string>> {
  const { t } = useTranslation('DeviceGroup');
  return {
    deviceid: t('Device ID'),
    name: t('Name'),
    plate: t('Plate number'),
    terminal: t('Terminal number'),
    edition: t('JT/T 808 edition'),
    model: t('Model'),
    sim: t('SIM'),
    group: t('Group'),
    chn: t('Channels'),
    channelNames: t('Channel names'),
    installchs: t('Installed'),
    ptzchs: t('PTZ'),
    talkchs: t('Two-way audio'),
    timeZone: t('Time zone'),
    icon: t('Icon'),
    notes: t('Notes'),
    anyMediaAddress: t('Media from any IP address'),
    disabled: t('Disabled'),
    channelsFromZero: t('Channel numbers start at 0'),
    recording: t('Recording'),
  };
}
