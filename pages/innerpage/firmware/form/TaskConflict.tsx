import { useTranslation } from 'react-i18next';
import { readFirmwareTask } from '../../../../shared/api/firmware/tasks.ts';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { labelsOf } from '../../../../shared/ui/form/selectedOptions.ts';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import { useIgnitionTexts } from '../words/taskTexts.ts';
import { draftOfTask, type TaskDraft } from './taskForm.ts';
import { imageOption } from './useImageOptions.ts';

export interface TaskConflictProps {
  readonly form: Form<TaskDraft>;
  readonly choices: DeviceChoices;
  /** The task as it is by now. */
  readonly onTask: (task: FirmwareTask) => void;
}

/** Another member saved the task first. */
export function TaskConflict({ form, choices, onTask }: TaskConflictProps) {
  const task = form.conflict === undefined ? undefined : readFirmwareTask(form.conflict);
  const fields = useConflictFields(choices, task);
  if (task === undefined) return null;
  const theirs = draftOfTask(task);
  return (
    <ConflictDialog<TaskDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={fields}
      onChoose={(values) => {
        onTask(task);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useConflictFields(
  choices: DeviceChoices,
  theirs: FirmwareTask | undefined,
): readonly ConflictField<TaskDraft>[] {
  const { t } = useTranslation('Firmware');
  const scheduleText = useScheduleText();
  const ignition = useIgnitionTexts();
  const number = (value: number | null) => (value === null ? '' : String(value));
  const onOff = (value: boolean) => (value ? t('On') : t('Off'));
  const image = (id: string) =>
    theirs !== undefined && String(theirs.image) === id
      ? imageOption({ id: theirs.image, name: theirs.imageName, firmwareVersion: theirs.firmwareVersion }).label
      : `#${id}`;
  return [
    { name: 'name', label: t('Name'), show: ({ name }) => name },
    { name: 'image', label: t('Image'), show: (values) => image(values.image) },
    {
      name: 'deviceGroups',
      label: t('Device groups'),
      show: (values) => labelsOf(choices.groups, values.deviceGroups),
    },
    { name: 'devices', label: t('Devices'), show: ({ devices }) => labelsOf(choices.devices, devices) },
    { name: 'model', label: t('Model'), show: ({ model }) => model },
    { name: 'installedVersion', label: t('Installed version'), show: ({ installedVersion }) => installedVersion },
    { name: 'window', label: t('Hours'), show: ({ window }) => scheduleText(window) },
    { name: 'fromDay', label: t('First day'), show: ({ fromDay }) => fromDay },
    { name: 'toDay', label: t('Last day'), show: ({ toDay }) => toDay },
    { name: 'parkedMinutes', label: t('Parked for (min)'), show: (values) => number(values.parkedMinutes) },
    { name: 'ignition', label: t('Ignition'), show: (values) => ignition[values.ignition] },
    { name: 'minimumSignal', label: t('Minimum signal'), show: (values) => number(values.minimumSignal) },
    { name: 'unwatched', label: t("Only while its video isn't watched"), show: (values) => onOff(values.unwatched) },
    {
      name: 'needsPlan',
      label: t("Only while its data plan has the image's size left"),
      show: (values) => onOff(values.needsPlan),
    },
    { name: 'canaries', label: t('Canary devices'), show: ({ canaries }) => labelsOf(choices.devices, canaries) },
    { name: 'stages', label: t('Stages (%)'), show: ({ stages }) => stages },
    { name: 'pauseMinutes', label: t('Pause between stages (min)'), show: (values) => number(values.pauseMinutes) },
    { name: 'concurrency', label: t('Devices at a time'), show: (values) => number(values.concurrency) },
    { name: 'requiredPercent', label: t('Required success (%)'), show: (values) => number(values.requiredPercent) },
    { name: 'abortDevices', label: t('Stop at failures'), show: (values) => number(values.abortDevices) },
    { name: 'abortPercent', label: t('Stop at failures (%)'), show: (values) => number(values.abortPercent) },
  ];
}
