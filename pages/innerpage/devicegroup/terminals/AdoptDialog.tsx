import { useTranslation } from 'react-i18next';
import { adoptTerminal } from '../../../../shared/api/deviceGroup.ts';
import type { DeviceDetail, GroupTree, WaitingTerminal } from '../../../../shared/protocol/api/deviceGroup.ts';
import { DeviceLimit } from '../../../../shared/protocol/deviceRules.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { fieldText } from '../../../../shared/ui/form/fieldText.ts';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
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

/** Everything that the terminal has said is filled in: mostly only the group is to be chosen. */
export function AdoptDialog({ terminal, tree, group, onDone, onClose }: AdoptDialogProps) {
  const { t } = useTranslation('DeviceGroup');
  const label = useFieldLabels();
  const form = useForm<DeviceValues>({ initial: proposalOf(terminal, group), check: problemsOf });
  const submit = async () => {
    const device = await form.submit((values) => adoptTerminal(terminal, values.deviceid.trim(), fieldsOf(values)));
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
  const faults = Object.entries(deviceFaults(values, true)).filter(([name]) => name !== 'terminal');
  return Object.fromEntries(faults.map(([name, fault]) => [name, fieldText(wordedFault(fault))]));
}
