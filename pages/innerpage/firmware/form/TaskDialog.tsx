import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addFirmwareTask, changeFirmwareTask } from '../../../../shared/api/firmware/tasks.ts';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { useDeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { type Form, useForm } from '../../../../shared/ui/form/useForm.ts';
import { ConditionFields } from './ConditionFields.tsx';
import { RolloutFields } from './RolloutFields.tsx';
import { TargetFields } from './TargetFields.tsx';
import { TaskConflict } from './TaskConflict.tsx';
import { TimeFields } from './TimeFields.tsx';
import { checkTask, contentOfDraft, draftOfTask, NEW_TASK, type TaskDraft } from './taskForm.ts';
import { imageOption, useImageOptions } from './useImageOptions.ts';
import { useTaskTexts } from './useTaskTexts.ts';

export interface TaskDialogProps {
  /** Undefined: a new one. */
  readonly opened: FirmwareTask | undefined;
  readonly onSaved: (task: FirmwareTask) => void;
  readonly onClose: () => void;
}

export function TaskDialog({ opened, onSaved, onClose }: TaskDialogProps) {
  const { t } = useTranslation('Firmware');
  const texts = useTaskTexts();
  const choices = useDeviceChoices();
  const [task, setTask] = useState(opened);
  const form = useForm<TaskDraft>({
    initial: task === undefined ? NEW_TASK : draftOfTask(task),
    check: (draft) => checkTask(draft, texts),
  });
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOfDraft(draft);
      return task === undefined
        ? addFirmwareTask(content)
        : changeFirmwareTask(task.id, { ...content, version: task.version });
    });
    if (saved !== undefined) onSaved(saved);
  };
  return (
    <FormDialog
      title={task === undefined ? t('New task') : t('Task {{name}}', { name: task.name })}
      form={form}
      always={task === undefined}
      maxWidth="md"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <WhatFields form={form} task={task} />
      <TargetFields form={form} choices={choices} />
      <TimeFields form={form} />
      <ConditionFields form={form} />
      <RolloutFields form={form} choices={choices} />
      <TaskConflict form={form} choices={choices} onTask={setTask} />
    </FormDialog>
  );
}

interface WhatFieldsProps {
  readonly form: Form<TaskDraft>;
  readonly task: FirmwareTask | undefined;
}

function WhatFields({ form, task }: WhatFieldsProps) {
  const { t } = useTranslation('Firmware');
  const [chosen, setChosen] = useState<Option<string> | undefined>(() => task && chosenImage(task));
  const images = useImageOptions(chosen);
  const field = form.field('image');
  return (
    <Section title={t('Update')}>
      {images.hasNone && (
        <Alert severity="warning">{t('There is no image yet. Add one on the tab Images first.')}</Alert>
      )}
      {task?.state === 'approved' && (
        <Alert severity="info">{t('The task is approved. If you save a change, it is a draft again.')}</Alert>
      )}
      <TextInput field={form.field('name')} label={t('Name')} required autoFocus={task === undefined} maxLength={100} />
      <PickInput
        field={{
          ...field,
          onChange: (value) => {
            setChosen(images.options.find((option) => option.value === value));
            field.onChange(value);
          },
        }}
        label={t('Image')}
        required
        options={images.options}
        loading={images.isLoading}
        onType={images.onType}
      />
    </Section>
  );
}

function chosenImage({ image, imageName, firmwareVersion }: FirmwareTask): Option<string> {
  return imageOption({ id: image, name: imageName, firmwareVersion });
}
