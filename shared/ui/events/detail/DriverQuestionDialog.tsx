import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askDriver } from '../../../api/devices/driverText.ts';
import { ANSWER_MAX, ANSWERS_MAX, ANSWERS_MIN, QUESTION_MAX } from '../../../protocol/api/deviceOrders.ts';
import type { EventRow } from '../../../protocol/api/events.ts';
import { FormDialog } from '../../form/FormDialog.tsx';
import { SwitchInput } from '../../form/SwitchInput.tsx';
import { TextInput } from '../../form/TextInput.tsx';
import { useTerminalTextHint } from '../../form/text/useTerminalTextHint.ts';
import { useForm } from '../../form/useForm.ts';
import { deviceText } from '../eventText.ts';
import { DriverAnswerDialog } from './DriverAnswerDialog.tsx';
import { answersOf, areAnswers } from './driverQuestionForm.ts';

export interface DriverQuestionDialogProps {
  readonly event: EventRow;
  readonly onClose: () => void;
}

/** A question with answers to choose from; then what the driver answers. */
export function DriverQuestionDialog({ event, onClose }: DriverQuestionDialogProps) {
  const { t } = useTranslation('Events');
  const { deviceid } = event;
  const hintOf = useTerminalTextHint();
  const [order, setOrder] = useState<number>();
  const form = useForm({
    initial: { text: '', answers: '', speech: true },
    check: ({ text, answers }) => ({
      text: text.trim() === '' ? t('Enter a question.') : undefined,
      answers: areAnswers(answers)
        ? undefined
        : t('Enter {{min}} to {{max}} answers of at most {{length}} characters.', {
            min: ANSWERS_MIN,
            max: ANSWERS_MAX,
            length: ANSWER_MAX,
          }),
    }),
  });
  const device = deviceText(event);
  const send = async () => {
    const asked = await form.submit(({ answers, ...values }) =>
      askDriver({ deviceid, ...values, answers: answersOf(answers) }),
    );
    if (asked !== undefined) setOrder(asked.order);
  };
  if (order !== undefined) {
    return <DriverAnswerDialog order={order} device={device} question={form.values.text} onClose={onClose} />;
  }
  return (
    <FormDialog
      title={t('Question to the driver of {{device}}', { device })}
      form={form}
      saveLabel={t('Send')}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <TextInput
        field={form.field('text')}
        label={t('Question')}
        hint={hintOf(form.values.text)}
        required
        autoFocus
        rows={2}
        maxLength={QUESTION_MAX}
      />
      <TextInput
        field={form.field('answers')}
        label={t('Answers, one per line')}
        hint={hintOf(form.values.answers)}
        required
        rows={4}
      />
      <SwitchInput field={form.field('speech')} label={t('Read out')} />
    </FormDialog>
  );
}
