import { useTranslation } from 'react-i18next';
import type { EventRow } from '../../protocol/api/events.ts';
import { EVENT_NOTE_MAX } from '../../protocol/events/eventWords.ts';
import { FormDialog } from '../form/FormDialog.tsx';
import { PickInput } from '../form/PickInput.tsx';
import { TextInput } from '../form/TextInput.tsx';
import { useForm } from '../form/useForm.ts';
import type { ActDialogProps } from './acts/actDialog.ts';
import { useAssignees } from './useAssignees.ts';

export function AssignEventDialog({ events, onSend, onClose }: ActDialogProps) {
  const { t } = useTranslation('Events');
  const assigned = commonAssignee(events);
  const form = useForm({
    initial: { assignee: assigned, note: '' },
    check: ({ assignee }) => ({ assignee: assignee === '' && assigned === '' ? t('Select a member.') : undefined }),
  });
  const { options, isLoading, search } = useAssignees();
  const count = events.length;
  return (
    <FormDialog
      title={count === 1 ? t('Assign event') : t('Assign {{count}} events', { count })}
      form={form}
      saveLabel={t('Assign')}
      onSubmit={() => void form.submit(({ assignee, note }) => onSend({ assignee, note: note.trim() }))}
      onClose={onClose}
    >
      <PickInput
        field={form.field('assignee')}
        label={t('Assignee')}
        hint={assigned === '' ? undefined : t('Leave empty to remove the assignee.')}
        required={assigned === ''}
        autoFocus
        loading={isLoading}
        options={options}
        onType={search}
      />
      <TextInput field={form.field('note')} label={t('Note')} rows={2} maxLength={EVENT_NOTE_MAX} />
    </FormDialog>
  );
}

/** '' where they differ, too. */
function commonAssignee([first, ...others]: readonly EventRow[]): string {
  return first !== undefined && others.every(({ assignee }) => assignee === first.assignee) ? first.assignee : '';
}
