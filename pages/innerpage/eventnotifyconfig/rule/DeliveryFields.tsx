import Delete from '@mui/icons-material/DeleteOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { senderKindText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyChoices } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { MAX_DELIVERIES } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { type Option, SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { senderText } from '../senderText.ts';
import { type DeliveryDraft, NO_DELIVERY, type RuleDraft, STANDARD, type StepDraft } from './ruleForm.ts';
import { changeStep } from './stepField.ts';

export interface DeliveryFieldsProps {
  readonly form: Form<RuleDraft>;
  readonly choices: NotifyChoices;
  /** Index of the step. */
  readonly at: number;
}

/** The senders of a step, each with its template. */
export function DeliveryFields({ form, choices, at }: DeliveryFieldsProps) {
  const { t } = useTranslation('NotifyConfig');
  const { deliveries } = form.values.steps[at] as StepDraft;
  const set = (next: readonly DeliveryDraft[]) => changeStep(form, at, { deliveries: next });
  const path = `steps.${at}.deliveries`;
  const hasOwnProblem = [...deliveries.keys()].some((each) => problemOf(form, `${path}.${each}`) !== undefined);
  // The gateway does not say which delivery it means.
  const problem = hasOwnProblem ? undefined : problemOf(form, path);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, minWidth: 0 }}>
      {[...deliveries.entries()].map(([each, delivery]) => (
        <DeliveryRow
          // Deliveries have no name of their own: they are identified by their place.
          key={each}
          form={form}
          choices={choices}
          path={`${path}.${each}`}
          problem={problem}
          delivery={delivery}
          others={deliveries.filter((_, other) => other !== each)}
          onChange={(next) => set(deliveries.with(each, next))}
          onRemove={deliveries.length > 1 ? () => set(deliveries.filter((_, other) => other !== each)) : undefined}
        />
      ))}
      {deliveries.length < Math.min(choices.senders.length, MAX_DELIVERIES) && (
        <Button
          disabled={form.isSaving}
          sx={{ justifySelf: 'start' }}
          onClick={() => set([...deliveries, NO_DELIVERY])}
        >
          {t('Add sender')}
        </Button>
      )}
    </Box>
  );
}

function problemOf(form: Form<RuleDraft>, path: string): string | undefined {
  return form.part(path, { value: undefined, onChange: () => undefined }).problem;
}

interface DeliveryRowProps {
  readonly form: Form<RuleDraft>;
  readonly choices: NotifyChoices;
  readonly path: string;
  /** Problem with the deliveries as a whole. */
  readonly problem: string | undefined;
  readonly delivery: DeliveryDraft;
  readonly others: readonly DeliveryDraft[];
  readonly onChange: (delivery: DeliveryDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

function DeliveryRow({ form, choices, path, problem, delivery, others, onChange, onRemove }: DeliveryRowProps) {
  const { t } = useTranslation('NotifyConfig');
  const { sender, template } = delivery;
  const senderField = form.part(`${path}.sender`, {
    value: sender,
    // Each template is for one kind of sender.
    onChange: (next: string) => onChange({ sender: next, template: STANDARD }),
  });
  const senderOptions = useSenderOptions(choices, delivery, others);
  const templateOptions = useTemplateOptions(choices, delivery);
  return (
    <Box sx={ROW}>
      <Box sx={FIELDS}>
        <SelectInput
          field={{ ...senderField, problem: senderField.problem ?? problem }}
          label={t('Sender')}
          required
          options={senderOptions}
        />
        <SelectInput
          field={form.part(`${path}.template`, {
            value: template,
            onChange: (next: string) => onChange({ sender, template: next }),
          })}
          label={t('Template')}
          options={templateOptions}
        />
      </Box>
      {onRemove !== undefined && (
        <IconButton aria-label={t('Remove sender')} disabled={form.isSaving} onClick={onRemove} sx={{ mt: 1 }}>
          <Delete />
        </IconButton>
      )}
    </Box>
  );
}

/** The senders that the step doesn't use yet. */
function useSenderOptions(
  { senders }: NotifyChoices,
  { sender }: DeliveryDraft,
  others: readonly DeliveryDraft[],
): readonly Option<string>[] {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  const taken = new Set(others.map((other) => other.sender));
  const known = senders.filter(({ id }) => !taken.has(String(id)));
  const isKnown = sender === '' || senders.some(({ id }) => String(id) === sender);
  return [
    { value: '', label: t('Select a sender') },
    ...(isKnown ? [] : [{ value: sender, label: t('Deleted sender') }]),
    ...known.map(({ id, name, kind, enabled }) => {
      const label = enabled
        ? senderText(name, kind)
        : t('{{name}} ({{kind}}, off)', { name, kind: senderKindText(kind) });
      return { value: String(id), label };
    }),
  ];
}

function useTemplateOptions({ senders, templates }: NotifyChoices, delivery: DeliveryDraft): readonly Option<string>[] {
  const { t } = useTranslation('NotifyConfig');
  const kind = senders.find(({ id }) => String(id) === delivery.sender)?.kind;
  const fitting = templates.filter((each) => each.kind === kind);
  const isKnown = delivery.template === STANDARD || fitting.some(({ id }) => String(id) === delivery.template);
  return [
    { value: STANDARD, label: t('Standard') },
    ...(isKnown ? [] : [{ value: delivery.template, label: t('Deleted template') }]),
    ...fitting.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
}

const ROW = { display: 'flex', alignItems: 'flex-start', gap: 1, minWidth: 0 } as const;
const FIELDS = {
  flex: 1,
  minWidth: 0,
  display: 'grid',
  gap: 1.5,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
} as const;
