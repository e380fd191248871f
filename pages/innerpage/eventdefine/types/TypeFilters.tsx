import { useTranslation } from 'react-i18next';
import { categoryText, severityText } from '../../../../shared/i18n/eventWordText.ts';
import { EVENT_CATEGORIES, SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import type { TypesFilter } from './typeRows.ts';

export interface TypeFiltersProps {
  readonly filter: TypesFilter;
  readonly onChange: (filter: TypesFilter) => void;
}

export function TypeFilters({ filter, onChange }: TypeFiltersProps) {
  const { t } = useTranslation(['EventDefine', 'EventWords']);
  return (
    <>
      <FilterSelect
        label={t('Category')}
        value={filter.category}
        onChange={(category) => onChange({ ...filter, category })}
        options={EVENT_CATEGORIES.map((value) => ({ value, label: categoryText(value) }))}
      />
      <FilterSelect
        label={t('Severity')}
        value={filter.severity}
        onChange={(severity) => onChange({ ...filter, severity })}
        options={SEVERITIES.map((value) => ({ value, label: severityText(value) }))}
      />
      <FilterSelect
        label={t('Status')}
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state })}
        options={[
          { value: 'on', label: t('On') },
          { value: 'off', label: t('Off') },
        ]}
      />
    </>
  );
}
