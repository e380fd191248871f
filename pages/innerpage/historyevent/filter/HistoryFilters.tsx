import FilterIcon from '@mui/icons-material/FilterList';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { severityText, statusText } from '../../../../shared/i18n/eventWordText.ts';
import { EVENT_STATUSES, SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { FilterMany } from '../../../../shared/ui/table/FilterMany.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { TableSearch } from '../../../../shared/ui/table/TableSearch.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { AssigneeField } from './AssigneeField.tsx';
import { FleetFields } from './FleetFields.tsx';
import { type HistoryFilter, inOrderOf, type NarrowingName, narrowingOf } from './historyFilter.ts';
import { PeriodField } from './PeriodField.tsx';
import { TypesField } from './TypesField.tsx';

export interface HistoryFiltersProps {
  readonly filter: HistoryFilter;
  /** The typed text, which reaches the filter a moment later. */
  readonly typed: string;
  readonly names: EventNames;
  readonly onChange: (filter: HistoryFilter) => void;
  readonly onType: (text: string) => void;
}

/** The filters of the second row, which is shown on request or when one of them is set. */
const SECOND: readonly NarrowingName[] = ['devices', 'groups', 'assignee', 'late', 'media', 'lasting'];

/** Shows the period and the search always, and on a phone the others only on request. */
export function HistoryFilters({ filter, typed, names, onChange, onType }: HistoryFiltersProps) {
  const { t } = useTranslation('HistoryEvent');
  const isNarrow = useIsNarrow();
  const [isOpen, setOpen] = useState(() => narrowingOf(filter).some((name) => SECOND.includes(name)));
  const change = (part: Partial<HistoryFilter>) => onChange({ ...filter, ...part });
  const narrowing = narrowingOf(filter);
  const hidden = narrowing.filter((name) => name !== 'search' && (isNarrow || SECOND.includes(name)));
  return (
    <Box component="section" aria-label={t('Filters')} sx={ROWS}>
      <Box sx={ROW}>
        <PeriodField filter={filter} onChange={change} />
        {!isNarrow && <FirstRow filter={filter} names={names} onChange={change} />}
        <TableSearch value={typed} onChange={onType} hint={t('Device, plate number, driver')} />
        <Button
          size="small"
          startIcon={<FilterIcon />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          color={hidden.length > 0 ? 'primary' : 'inherit'}
        >
          {hidden.length > 0 ? t('More filters ({{number}})', { number: hidden.length }) : t('More filters')}
        </Button>
      </Box>
      {isOpen && (
        <Box sx={ROW}>
          {isNarrow && <FirstRow filter={filter} names={names} onChange={change} />}
          <SecondRow filter={filter} onChange={change} />
        </Box>
      )}
    </Box>
  );
}

interface RowProps {
  readonly filter: HistoryFilter;
  readonly onChange: (part: Partial<HistoryFilter>) => void;
}

function FirstRow({ filter, names, onChange }: RowProps & { readonly names: EventNames }) {
  const { t } = useTranslation('HistoryEvent');
  return (
    <>
      <FilterMany
        label={t('Severity')}
        options={SEVERITIES}
        value={filter.severities}
        onChange={(chosen) => onChange({ severities: inOrderOf(SEVERITIES, chosen) })}
        keyOf={(severity) => severity}
        labelOf={severityText}
        width={160}
      />
      <FilterMany
        label={t('Status')}
        options={EVENT_STATUSES}
        value={filter.statuses}
        onChange={(chosen) => onChange({ statuses: inOrderOf(EVENT_STATUSES, chosen) })}
        keyOf={(status) => status}
        labelOf={statusText}
        width={160}
      />
      <TypesField names={names} types={filter.types} onChange={(types) => onChange({ types })} />
    </>
  );
}

function SecondRow({ filter, onChange }: RowProps) {
  const { t } = useTranslation('HistoryEvent');
  return (
    <>
      <FleetFields filter={filter} onChange={onChange} />
      <AssigneeField assignee={filter.assignee} onChange={(assignee) => onChange({ assignee })} />
      <FilterSelect
        label={t('Video')}
        value={filter.media}
        options={[
          { value: 'video', label: t('With video') },
          { value: '1', label: t('With video or pictures') },
          { value: '0', label: t('Without video or pictures') },
        ]}
        onChange={(media) => onChange({ media })}
      />
      <FilterSelect
        label={t('Reported')}
        value={filter.late}
        options={[
          { value: '0', label: t('As it happened') },
          { value: '1', label: t('Late') },
        ]}
        onChange={(late) => onChange({ late })}
      />
      <FilterSelect
        label={t('Duration')}
        value={filter.lasting}
        options={[
          { value: '1', label: t('Lasting') },
          { value: '0', label: t('Ended') },
        ]}
        onChange={(lasting) => onChange({ lasting })}
      />
    </>
  );
}

const ROWS = { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 1.25 } as const;
const ROW = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 1.25 } as const;
