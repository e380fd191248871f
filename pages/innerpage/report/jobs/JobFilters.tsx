import { useTranslation } from 'react-i18next';
import { reportKindText } from '../../../../shared/i18n/reportText.ts';
import type { ReportKindInfo } from '../../../../shared/protocol/api/reports/reports.ts';
import { REPORT_STATES, type ReportKind, type ReportState } from '../../../../shared/protocol/reports/reportWords.ts';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useStateText } from './StateText.tsx';

/** '' for all. */
export interface JobFilter {
  readonly kind: ReportKind | '';
  readonly state: ReportState | '';
}

export const NO_FILTER: JobFilter = { kind: '', state: '' };

export interface JobFiltersProps {
  readonly filter: JobFilter;
  readonly kinds: readonly ReportKindInfo[];
  readonly onChange: (filter: JobFilter) => void;
}

export function JobFilters({ filter, kinds, onChange }: JobFiltersProps) {
  const { t } = useTranslation('ReportPage');
  const stateText = useStateText();
  return (
    <>
      <FilterSelect
        label={t('Report')}
        value={filter.kind}
        options={kinds.map(({ kind }) => ({ value: kind, label: reportKindText(kind) }))}
        onChange={(kind) => onChange({ ...filter, kind })}
      />
      <FilterSelect
        label={t('Status')}
        value={filter.state}
        options={REPORT_STATES.map((state) => ({ value: state, label: stateText(state) }))}
        onChange={(state) => onChange({ ...filter, state })}
      />
    </>
  );
}
