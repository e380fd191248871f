import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import type { DeviceRecording } from '../../../../shared/protocol/api/deviceRecording.ts';
import type { DeviceDetail } from '../../../../shared/protocol/api/devices.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { groupPaths } from '../tree/treeModel.ts';
import { type DeviceValues, valuesOf } from './deviceForm.ts';
import { useFieldLabels, useIconName } from './names.ts';
import { usePolicyText } from './policyText.ts';

export interface DeviceConflictProps {
  readonly form: Form<DeviceValues>;
  readonly tree: GroupTree;
  /** The version that the next attempt saves over. */
  readonly onVersion: (version: number) => void;
}

/** Another user has saved the device meanwhile: shown, and settled field by field. */
export function DeviceConflict({ form, tree, onVersion }: DeviceConflictProps) {
  const labels = useFieldLabels();
  const show = useShow(tree);
  const current = form.conflict as DeviceDetail | null | undefined;
  if (current === undefined || current === null) return null;
  const theirs = valuesOf(current);
  const names = Object.keys(theirs) as (keyof DeviceValues)[];
  return (
    <ConflictDialog<DeviceValues>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={names.map((name) => ({ name, label: labels[name], show: (values) => show(values, name) }))}
      onChoose={(values) => {
        onVersion(current.version);
        form.rebase(theirs, values);
      }}
      onClose={() => form.dismissConflict()}
    />
  );
}

function useShow(tree: GroupTree): (values: DeviceValues, name: keyof DeviceValues) => string {
  const { t } = useTranslation('DeviceGroup');
  const iconName = useIconName();
  const recordingText = useRecordingText();
  return (values, name) => {
    const value = values[name];
    switch (name) {
      case 'group':
        return groupPaths(tree.groups).find(({ id }) => id === value)?.path ?? '';
      case 'icon':
        return iconName(values.icon);
      case 'recording':
        return recordingText(values.recording);
      case 'channelNames':
        return listText(values.channelNames);
      default:
        return typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : String(value ?? '');
    }
  };
}

function useRecordingText(): (recording: DeviceRecording) => string {
  const { t } = useTranslation('DeviceGroup');
  const policyText = usePolicyText();
  return ({ device, channels }) =>
    [
      device === null ? t('Use default') : policyText(device),
      ...channels.map(({ channel, policy }) => `${channel}: ${policyText(policy)}`),
    ].join('; ');
}
