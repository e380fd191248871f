import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adoptTerminal } from '../../../../shared/api/devices/deviceGroup.ts';
import type { GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import type { DeviceDetail } from '../../../../shared/protocol/api/devices.ts';
import type { WaitingTerminal } from '../../../../shared/protocol/api/terminals.ts';
import { DeviceLimit } from '../../../../shared/protocol/deviceRules.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { fieldText } from '../../../../shared/ui/form/text/fieldText.ts';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { blankDevice, type DeviceValues, deviceFaults, fieldsOf, wordedFault } from '../devices/deviceForm.ts';
import { useFieldLabels } from '../devices/names.ts';
import { GroupSelect } from '../tree/GroupSelect.tsx';

export interface AdoptDialogProps {
  readonly terminal: WaitingTerminal;
  readonly tree: GroupTree;
  readonly group: number | null;
  readonly onDone: (device: DeviceDetail) => void;
  readonly onClose: () => void;
}

/** Only the fields that are asked for: a refusal of any other then appears above the form, where it is seen. */
type AdoptValues = Pick<DeviceValues, 'deviceid' | 'name' | 'plate' | 'group'>;

/** Everything that the terminal has said is filled in: mostly only the group is to be chosen. */
export function AdoptDialog({ terminal, tree, group, onDone, onClose }: AdoptDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const label = useFieldLabels();
  const [proposal] = useState(() => proposalOf(terminal, group));
  const { deviceid, name, plate } = proposal;
  const form = useForm<AdoptValues>({
    initial: { deviceid, name, plate, group: proposal.group },
    check: (values) => problemsOf({ ...proposal, ...values }),
  });
  const submit = async () => {
    const device = await form.submit((values) =>
      adoptTerminal(terminal, values.deviceid.trim(), fieldsOf({ ...proposal, ...values })),
    );
    if (device !== undefined) onDone(device);
  };
  const groupField = form.field('group');
  return (
    <FormDialog
      title={t('Adopt terminal {{number}}', { number: terminal.terminal })}
      form={form}
      maxWidth="xs"
      saveLabel={t('Adopt')}
      always
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <TextInput field={form.field('deviceid')} label={label.deviceid} required verbatim autoFocus />
      <TextInput field={form.field('name')} label={label.name} required maxLength={DeviceLimit.name} />
      <TextInput field={form.field('plate')} label={label.plate} maxLength={DeviceLimit.plate} verbatim />
      <GroupSelect
        groups={tree.groups}
        value={groupField.value ?? undefined}
        onChange={(id) => groupField.onChange(id ?? null)}
        onBlur={groupField.onBlur}
        label={label.group}
        required
        problem={groupField.problem}
        disabled={groupField.disabled}
      />
    </FormDialog>
  );
}

function proposalOf({ terminal, plate, model }: WaitingTerminal, group: number | null): DeviceValues {
  const cut = (text: string, maximum: number): string => [...text.replace(/\p{Cc}/gu, '')].slice(0, maximum).join('');
  return {
    ...blankDevice(group),
    deviceid: terminal,
    name: cut(plate === '' ? terminal : plate, DeviceLimit.name),
    plate: cut(plate, DeviceLimit.plate),
    model: cut(model, DeviceLimit.model),
    terminal,
  };
}

function problemsOf(values: DeviceValues) {
  const { deviceid, name, plate, group } = deviceFaults(values, true);
  const faults = Object.entries({ deviceid, name, plate, group });
  return Object.fromEntries(
    faults.map(([field, fault]) => [field, fault === undefined ? undefined : fieldText(wordedFault(fault))]),
  );
}
