import { useTranslation } from 'react-i18next';
import { EVENT_NOTE_MAX } from '../../protocol/events/eventWords.ts';
import { FormDialog } from '../form/FormDialog.tsx';
import { TextInput } from '../form/TextInput.tsx';
import { useForm } from '../form/useForm.ts';
import type { ActDialogProps } from './acts/actDialog.ts';

export interface NoteEventDialogProps extends ActDialogProps {
  /** Reopening asks for a note, too: it undoes what somebody had answered. */
  readonly act: 'note' | 'reopen';
}

export function NoteEventDialog({ act, onSend, onClose }: NoteEventDialogProps) {
  const { t } = useTranslation('Events');
  const form = useForm({
    initial: { note: '' },
    check: ({ note }) => ({ note: note.trim() === '' ? t('Enter a note.') : undefined }),
  });
  const isReopening = act === 'reopen';
  return (
    <FormDialog
      title={isReopening ? t('Reopen event') : t('Add note')}
      form={form}
      saveLabel={isReopening ? t('Reopen') : t('Add note')}
      onSubmit={() => void form.submit(({ note }) => onSend({ note: note.trim() }))}
      onClose={onClose}
    >
      <TextInput
        field={form.field('note')}
        label={t('Note')}
        hint={isReopening ? t('Say why the event is answered again.') : undefined}
        required
        autoFocus
        rows={4}
        maxLength={EVENT_NOTE_MAX}
      />
    </FormDialog>
  );
}
