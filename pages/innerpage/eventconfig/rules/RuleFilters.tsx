import { useTranslation } from 'react-i18next';
import { categoryText } from '../../../../shared/i18n/eventWordText.ts';
import { EVENT_CATEGORIES } from '../../../../shared/protocol/events/eventWords.ts';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import type { RulesFilter } from './ruleRows.ts';

export interface RuleFiltersProps {
  readonly filter: RulesFilter;
  readonly onChange: (filter: RulesFilter) => void;
}

export function RuleFilters({ filter, onChange }: RuleFiltersProps) {
  const { t } = useTranslation(['EventConfig', 'EventWords']);
  return (
    <>
      <FilterSelect
        label={t('Category')}
        value={filter.category}
        options={EVENT_CATEGORIES.map((value) => ({ value, label: categoryText(value) }))}
        onChange={(category) => onChange({ ...filter, category })}
      />
      <FilterSelect
        label={t('Status')}
        value={filter.state}
        options={[
          { value: 'on', label: t('On') },
          { value: 'off', label: t('Off') },
        ]}
        onChange={(state) => onChange({ ...filter, state })}
      />
      <FilterSelect
        label={t('Origin')}
        value={filter.origin}
        options={[{ value: 'here', label: t('Set here') }]}
        onChange={(origin) => onChange({ ...filter, origin })}
      />
    </>
  );
}
