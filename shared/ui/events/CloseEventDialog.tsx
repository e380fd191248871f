import { useTranslation } from 'react-i18next';
import type { EventReason } from '../../protocol/api/eventTypes.ts';
import { EVENT_NOTE_MAX } from '../../protocol/events/eventWords.ts';
import { FormDialog } from '../form/FormDialog.tsx';
import { SelectInput } from '../form/SelectInput.tsx';
import { TextInput } from '../form/TextInput.tsx';
import { useForm } from '../form/useForm.ts';
import type { ActDialogProps } from './acts/actDialog.ts';
import { useEventNames } from './useEventNames.ts';

export interface CloseEventDialogProps extends ActDialogProps {
  /** Only reasons that say that nothing was real are offered, and one of them is selected. */
  readonly isFalseAlarm: boolean;
}

export function CloseEventDialog({ events, isFalseAlarm, onSend, onClose }: CloseEventDialogProps) {
  const { t } = useTranslation('Events');
  const { reasons, reasonName } = useEventNames();
  const offered = reasons.filter((each) => each.enabled && (!isFalseAlarm || each.isFalseAlarm));
  const form = useForm({
    initial: { reason: isFalseAlarm ? falseAlarmReason(offered) : '', note: '' },
    check: ({ reason }) => ({ reason: reason === '' ? t('Select a reason.') : undefined }),
  });
  const save = () => void form.submit(({ reason, note }) => onSend({ reason, note: note.trim() }));
  const count = events.length;
  const title = useTitle(isFalseAlarm, count);
  return (
    <FormDialog
      title={title}
      form={form}
      always
      saveLabel={count === 1 ? t('Close event') : t('Close events')}
      onSubmit={save}
      onClose={onClose}
    >
      <SelectInput
        field={form.field('reason')}
        label={t('Reason')}
        required
        autoFocus
        options={[
          { value: '', label: t('Select a reason') },
          ...offered.map(({ code }) => ({ value: code, label: reasonName(code) })),
        ]}
      />
      <TextInput field={form.field('note')} label={t('Note')} rows={3} maxLength={EVENT_NOTE_MAX} />
    </FormDialog>
  );
}

function useTitle(isFalseAlarm: boolean, count: number): string {
  const { t } = useTranslation('Events');
  if (count === 1) return isFalseAlarm ? t('Close event as false alarm') : t('Close event');
  return isFalseAlarm ? t('Close {{count}} events as false alarms', { count }) : t('Close {{count}} events', { count });
}

const FALSE_ALARM = 'false-alarm';

/** The plain one where it is offered, else the first. */
function falseAlarmReason(offered: readonly EventReason[]): string {
  return (offered.find(({ code }) => code === FALSE_ALARM) ?? offered[0])?.code ?? '';
}
