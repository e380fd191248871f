import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { MAX_STEPS } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { NoSenderNotice } from '../NoSenderNotice.tsx';
import type { RuleContext } from './ruleContext.ts';
import { nextStep } from './ruleForm.ts';
import { StepFields } from './StepFields.tsx';

/** Who is notified, and who is next while the event is unanswered. */
export function StepsSection({ context }: { readonly context: RuleContext }) {
  const { t } = useTranslation('NotifyConfig');
  const { form, choices } = context;
  const { steps } = form.values;
  return (
    <Section title={t('Steps')}>
      {choices.senders.length === 0 && <NoSenderNotice />}
      {[...steps.keys()].map((at) => (
        <StepFields
          // Steps have no name of their own: they are identified by their place.
          key={at}
          context={context}
          at={at}
          onRemove={steps.length > 1 ? () => form.change({ steps: steps.filter((_, each) => each !== at) }) : undefined}
        />
      ))}
      {steps.length < MAX_STEPS && (
        <Button
          disabled={form.isSaving}
          sx={{ justifySelf: 'start' }}
          onClick={() => form.change({ steps: [...steps, nextStep(steps)] })}
        >
          {t('Add escalation step')}
        </Button>
      )}
    </Section>
  );
}
