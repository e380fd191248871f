import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { categoryText, severityText } from '../../../../shared/i18n/eventWordText.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import {
  changedCodes,
  chosenOptions,
  keyOf,
  shortOptions,
  type TypeOption,
  typeOptions,
} from '../../../../shared/ui/events/typeOptions.ts';
import { ChoiceInput } from '../../../../shared/ui/form/ChoiceInput.tsx';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import { FilterMany } from '../../../../shared/ui/table/FilterMany.tsx';
import { DevicesInput } from './DevicesInput.tsx';
import type { RuleContext } from './ruleContext.ts';

/** Which events the rule tells of. */
export function EventsSection({ context }: { readonly context: RuleContext }) {
  const { t } = useTranslation(['NotifyConfig', 'EventWords']);
  const { form, choices } = context;
  return (
    <Section title={t('Events')}>
      <TypesInput context={context} />
      <ChoiceInput
        field={form.field('severities')}
        label={t('Severities')}
        hint={t('Leave all clear for every severity.')}
        options={SEVERITIES.map((value) => ({ value, label: severityText(value) }))}
      />
      <Box sx={COLUMNS}>
        <DevicesInput form={form} choices={choices} />
      </Box>
      <SwitchInput
        field={form.field('coversGateway')}
        label={t('Server events too')}
        hint={t('Only members with the permission System are told of them.')}
      />
    </Section>
  );
}

/** Types by category, or all of a category at once. */
function TypesInput({ context: { form, names } }: { readonly context: RuleContext }) {
  const { t } = useTranslation(['NotifyConfig', 'EventWords']);
  const field = form.field('types');
  const options = useMemo(
    () => typeOptions(names.types.map(({ code, category }) => ({ code, category, name: names.nameOf(code) }))),
    [names],
  );
  const chosen = chosenOptions(options, field.value);
  const short = shortOptions(chosen);
  const labelOf = (option: TypeOption): string =>
    option.kind === 'category'
      ? t('All of {{category}}', { category: categoryText(option.category) })
      : names.nameOf(option.code);
  return (
    <FilterMany
      fullWidth
      label={t('Event types')}
      hint={t('Leave empty for all types.')}
      problem={field.problem}
      disabled={field.disabled}
      options={options}
      value={chosen}
      onChange={(next) => field.onChange(changedCodes(chosen, next))}
      keyOf={keyOf}
      labelOf={labelOf}
      groupOf={({ category }) => (category === undefined ? '' : categoryText(category))}
      isTagged={(option) => short.includes(option)}
    />
  );
}
