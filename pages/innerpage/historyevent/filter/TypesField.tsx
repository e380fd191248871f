import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { categoryText } from '../../../../shared/i18n/eventWordText.ts';
import {
  changedCodes,
  chosenOptions,
  keyOf,
  shortOptions,
  type TypeOption,
  typeOptions,
} from '../../../../shared/ui/events/typeOptions.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { FilterMany } from '../../../../shared/ui/table/FilterMany.tsx';

export interface TypesFieldProps {
  readonly names: EventNames;
  /** Codes of event types. */
  readonly types: readonly string[];
  readonly onChange: (types: readonly string[]) => void;
}

/** Types by category, or all of a category at once. */
export function TypesField({ names, types, onChange }: TypesFieldProps) {
  const { t } = useTranslation('HistoryEvent');
  const options = useMemo(
    () => typeOptions(names.types.map(({ code, category }) => ({ code, category, name: names.nameOf(code) }))),
    [names],
  );
  const chosen = chosenOptions(options, types);
  const short = shortOptions(chosen);
  const labelOf = (option: TypeOption): string =>
    option.kind === 'category'
      ? t('All of {{category}}', { category: categoryText(option.category) })
      : names.nameOf(option.code);
  return (
    <FilterMany
      label={t('Type')}
      options={options}
      value={chosen}
      onChange={(next) => onChange(changedCodes(chosen, next))}
      keyOf={keyOf}
      labelOf={labelOf}
      groupOf={({ category }) => (category === undefined ? '' : categoryText(category))}
      isTagged={(option) => short.includes(option)}
      width={200}
    />
  );
}
