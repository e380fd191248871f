import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { categoryText } from '../../../../shared/i18n/eventWordText.ts';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { EVENT_CATEGORIES } from '../../../../shared/protocol/events/eventWords.ts';
import type { EventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { TableSearch } from '../../../../shared/ui/table/TableSearch.tsx';
import { type EventFilter, type EventOwner, groupsOf, isFiltered, typesOf } from '../model/eventFilter.ts';

export interface EventFiltersProps {
  readonly rows: readonly EventRow[];
  readonly names: EventNames;
  readonly filter: EventFilter;
  readonly onFilter: (part: Partial<EventFilter>) => void;
  readonly onClear: () => void;
  readonly isGrouped: boolean;
  readonly onGroup: (isGrouped: boolean) => void;
}

export function EventFilters({ rows, names, filter, onFilter, onClear, isGrouped, onGroup }: EventFiltersProps) {
  const { t } = useTranslation('TodayEvent');
  const types = useMemo(
    () => withChosen(typeOptions(rows, names), { value: filter.type, label: names.nameOf(filter.type) }),
    [rows, names, filter.type],
  );
  const groups = useMemo(
    () => withChosen(groupOptions(rows), { value: filter.group, label: filter.groupName }),
    [rows, filter.group, filter.groupName],
  );
  const owners: readonly Option<EventOwner>[] = [
    { value: 'mine', label: t('Assigned to me') },
    { value: 'unassigned', label: t('Unassigned') },
  ];
  return (
    <Box sx={ROW}>
      <TableSearch
        value={filter.search}
        onChange={(search) => onFilter({ search })}
        hint={t('Device, type, driver, ID')}
      />
      <FilterSelect
        label={t('Category')}
        value={filter.category}
        options={EVENT_CATEGORIES.map((value) => ({ value, label: categoryText(value) }))}
        onChange={(category) => onFilter({ category })}
      />
      <FilterSelect label={t('Type')} value={filter.type} options={types} onChange={(type) => onFilter({ type })} />
      <FilterSelect
        label={t('Group')}
        value={filter.group}
        options={groups}
        onChange={(group) => onFilter({ group, groupName: labelOf(groups, group) })}
      />
      <FilterSelect
        label={t('Assignee')}
        value={filter.owner}
        options={owners}
        onChange={(owner) => onFilter({ owner })}
      />
      <FormControlLabel
        label={t('Group by device')}
        control={
          <Switch size="small" checked={isGrouped} onChange={(_event, isOn) => onGroup(isOn)} sx={{ mr: 0.5 }} />
        }
        sx={{ ml: 0, mr: 0, '& .MuiFormControlLabel-label': { fontSize: 14 } }}
      />
      {isFiltered(filter) && (
        <Button size="small" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      )}
    </Box>
  );
}

function typeOptions(rows: readonly EventRow[], { nameOf }: EventNames): readonly Option<string>[] {
  const options = typesOf(rows).map((value) => ({ value, label: nameOf(value) }));
  return options.sort((left, right) => left.label.localeCompare(right.label));
}

/** What is chosen stays to be seen, even when there is no event of it any more. */
function withChosen(options: readonly Option<string>[], chosen: Option<string>): readonly Option<string>[] {
  if (chosen.value === '' || options.some(({ value }) => value === chosen.value)) return options;
  return [...options, chosen];
}

function labelOf(options: readonly Option<string>[], chosen: string): string {
  return options.find(({ value }) => value === chosen)?.label ?? '';
}

function groupOptions(rows: readonly EventRow[]): readonly Option<string>[] {
  return groupsOf(rows).map(({ serialno, name }) => ({ value: String(serialno), label: name }));
}

const ROW = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 1.25 } as const;
