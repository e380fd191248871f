import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findEventAssignees } from '../../api/events.ts';
import type { EventAssignee, EventRow } from '../../protocol/api/events.ts';
import { EVENT_NOTE_MAX } from '../../protocol/events/eventWords.ts';
import { FormDialog } from '../form/FormDialog.tsx';
import { PickInput } from '../form/PickInput.tsx';
import type { Option } from '../form/SelectInput.tsx';
import { TextInput } from '../form/TextInput.tsx';
import { useForm } from '../form/useForm.ts';
import { useRecord } from '../records/useRecord.ts';
import { useSettled } from '../records/useSettled.ts';
import { useSession } from '../session.ts';
import type { ActDialogProps } from './acts/actDialog.ts';

const SEARCH_PAUSE_MS = 250;

export function AssignEventDialog({ events, onSend, onClose }: ActDialogProps) {
  const { t } = useTranslation('Events');
  const hasAssignee = events.some(({ assignee }) => assignee !== '');
  const form = useForm({
    initial: { assignee: commonAssignee(events), note: '' },
    check: ({ assignee }) => ({ assignee: assignee === '' && !hasAssignee ? t('Select a member.') : undefined }),
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
        hint={hasAssignee ? t('Leave empty to remove the assignee.') : undefined}
        required={!hasAssignee}
        autoFocus
        loading={isLoading}
        options={options}
        onType={search}
      />
      <TextInput field={form.field('note')} label={t('Note')} rows={2} maxLength={EVENT_NOTE_MAX} />
    </FormDialog>
  );
}

/** '' where they differ, too: what is selected then holds for all. */
function commonAssignee([first, ...others]: readonly EventRow[]): string {
  return first !== undefined && others.every(({ assignee }) => assignee === first.assignee) ? first.assignee : '';
}

/** Who is found for what is typed; the user first, as most take events on themselves. */
function useAssignees() {
  const { t } = useTranslation('Events');
  const session = useSession();
  const own = session.kind === 'signed-in' ? session.status.username : '';
  const [typed, search] = useState('');
  const text = useSettled(typed, SEARCH_PAUSE_MS);
  const { value = [], isLoading } = useRecord({
    key: ['event-assignees', text],
    load: (signal) => findEventAssignees(text, signal),
    keepsOther: true,
  });
  const optionOf = ({ username, displayName }: EventAssignee): Option<string> => {
    const name = displayName === '' || displayName === username ? username : `${displayName} (${username})`;
    return { value: username, label: username === own ? t('{{name}} (you)', { name }) : name };
  };
  const options = [...value].sort((left, right) => Number(right.username === own) - Number(left.username === own));
  return { options: options.map(optionOf), isLoading, search };
}
