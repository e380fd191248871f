import Chip from '@mui/material/Chip';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { messageStateText } from '../../../../shared/i18n/notifyWordText.ts';
import type { NotifyChoices } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { MESSAGE_STATES } from '../../../../shared/protocol/notify/notifyWords.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { FilterPick } from '../../../../shared/ui/table/FilterPick.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { MESSAGE_PERIODS, type MessageFilter, type MessagePeriod } from '../notifyAddress.ts';
import { deviceOptions } from '../rule/deviceOptions.ts';

export interface MessageFiltersProps {
  readonly filter: MessageFilter;
  readonly event: number | undefined;
  readonly choices: NotifyChoices;
  readonly rules: readonly Option<string>[];
  readonly onChange: (filter: MessageFilter) => void;
  readonly onClearEvent: () => void;
}

export function MessageFilters({ filter, event, choices, rules, onChange, onClearEvent }: MessageFiltersProps) {
  const { t } = useTranslation(['NotifyConfig', 'NotifyWords']);
  const devices = useMemo(() => deviceOptions(choices), [choices]);
  const periods: Readonly<Record<MessagePeriod, string>> = {
    '24h': t('Last 24 hours'),
    '7d': t('Last 7 days'),
    '30d': t('Last 30 days'),
  };
  const senders = choices.senders.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <>
      <FilterSelect
        label={t('Period')}
        value={filter.period}
        options={MESSAGE_PERIODS.map((value) => ({ value, label: periods[value] }))}
        onChange={(period) => onChange({ ...filter, period })}
      />
      <FilterSelect
        label={t('Status')}
        value={filter.state}
        options={MESSAGE_STATES.map((value) => ({ value, label: messageStateText(value) }))}
        onChange={(state) => onChange({ ...filter, state })}
      />
      <FilterSelect
        label={t('Sender')}
        value={filter.sender}
        options={withSelected(senders, filter.sender)}
        onChange={(sender) => onChange({ ...filter, sender })}
      />
      <FilterSelect
        label={t('Rule')}
        value={filter.rule}
        options={withSelected(rules, filter.rule)}
        onChange={(rule) => onChange({ ...filter, rule })}
      />
      <FilterPick
        label={t('Device')}
        options={devices}
        value={filter.device}
        onChange={(device) => onChange({ ...filter, device })}
      />
      {event !== undefined && <Chip label={t('Event {{number}}', { number: event })} onDelete={onClearEvent} />}
    </>
  );
}

/** One that is not there any more stays to be seen. */
function withSelected(options: readonly Option<string>[], value: string): readonly Option<string>[] {
  if (value === '' || options.some((option) => option.value === value)) return options;
  return [...options, { value, label: value }];
}
