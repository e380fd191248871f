import Autocomplete from '@mui/material/Autocomplete';
import Chip from '@mui/material/Chip';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import type { QueryValues } from '../../../../shared/api/query.ts';
import { auditActionText } from '../../../../shared/i18n/auditActionText.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../../../shared/protocol/api/auditWords.ts';
import { endOfDay, startOfDay } from '../../../../shared/time/format.ts';
import { FilterDay } from '../../../../shared/ui/table/FilterDay.tsx';

export interface AuditFilter {
  readonly action: AuditAction | null;
  /** '' for anybody. */
  readonly actor: string;
  /** yyyy-MM-dd in the user's zone; '' for none. */
  readonly fromDay: string;
  readonly toDay: string;
}

export const NO_FILTER: AuditFilter = { action: null, actor: '', fromDay: '', toDay: '' };

/** The query for the list call. It includes the last day to its end. */
export function queryOfFilter({ action, actor, fromDay, toDay }: AuditFilter, zone: string): QueryValues {
  const from = startOfDay(fromDay, zone);
  const to = endOfDay(toDay, zone);
  return {
    ...(action === null ? {} : { action }),
    ...(actor === '' ? {} : { actor }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

export interface AuditFiltersProps {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('Audit');
  const change = (part: Partial<AuditFilter>) => onChange({ ...filter, ...part });
  return (
    <>
      <Autocomplete
        size="small"
        options={AUDIT_ACTIONS}
        value={filter.action}
        onChange={(_, action) => change({ action })}
        getOptionLabel={auditActionText}
        renderInput={(params) => <TextField {...params} label={t('Action')} />}
        noOptionsText={t('No results')}
        sx={{ width: { xs: '100%', sm: 200 } }}
      />
      <FilterDay label={t('Start date')} value={filter.fromDay} onChange={(fromDay) => change({ fromDay })} />
      <FilterDay label={t('End date')} value={filter.toDay} onChange={(toDay) => change({ toDay })} />
      {filter.actor !== '' && (
        <Chip label={t('By {{actor}}', { actor: filter.actor })} onDelete={() => change({ actor: '' })} />
      )}
    </>
  );
}
