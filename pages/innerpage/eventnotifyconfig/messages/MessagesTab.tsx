import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadNotifyCounts } from '../../../../shared/api/notify/notifyMessages.ts';
import { listNotifyRules } from '../../../../shared/api/notify/notifyRules.ts';
import {
  MESSAGES_AT_ONCE,
  NOTIFY_MESSAGES_PATH,
  type NotifyMessage,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { SelectionBar } from '../../../../shared/ui/table/SelectionBar.tsx';
import { NO_MESSAGE_FILTER } from '../notifyAddress.ts';
import { useNotifyChoices } from '../useNotifyChoices.ts';
import type { ShownNotifyView } from '../useNotifyView.ts';
import { MessageActions } from './MessageActions.tsx';
import { MessageCounters } from './MessageCounters.tsx';
import { MessageDialog } from './MessageDialog.tsx';
import { MessageFilters } from './MessageFilters.tsx';
import { useMessageColumns } from './messageColumns.tsx';
import { newestMessages, selectedMessages } from './messageSelection.ts';
import { useLiveLog } from './useLiveLog.ts';
import { useMessageTable } from './useMessageTable.ts';

const NONE: readonly NotifyMessage[] = [];

/** The delivery log: what was sent to whom, and what the other side answered. */
export function MessagesTab({ shown }: { readonly shown: ShownNotifyView }) {
  const { t } = useTranslation('NotifyConfig');
  const { filter, event, show } = shown;
  const names = useEventNames();
  const { choices } = useNotifyChoices();
  const counts = useRecord({ key: ['notify-counts'], load: loadNotifyCounts });
  const table = useMessageTable(shown);
  const { rows } = table.list.page;
  const [chosen, setChosen] = useChosen(shown);
  const [opened, setOpened] = useState<NotifyMessage>();
  const reload = () => {
    table.reload();
    counts.reload();
  };
  useLiveLog(reload);
  const selected = newestMessages(chosen, rows);
  const select = (ids: readonly (string | number)[]) => {
    const next = selectedMessages(ids, rows, selected);
    if (next.length > MESSAGES_AT_ONCE) {
      notify('info', t('Select at most {{limit}} messages.', { limit: MESSAGES_AT_ONCE }));
    }
    setChosen(next.slice(0, MESSAGES_AT_ONCE));
  };
  return (
    <>
      <MessageCounters
        counts={counts.value}
        state={filter.state}
        onState={(state) => show({ filter: { ...filter, state } })}
      />
      {selected.length > 0 && (
        <SelectionBar label={t('Selected messages')} count={selected.length} onClear={() => setChosen(NONE)}>
          <MessageActions messages={selected} onDone={reload} />
        </SelectionBar>
      )}
      <DataTable
        table={table}
        label={t('Delivery log')}
        columns={useMessageColumns(names)}
        rowId={({ id }) => id}
        onOpen={setOpened}
        selection={selected.map(({ id }) => id)}
        onSelect={select}
        filters={
          <MessageFilters
            filter={filter}
            event={event}
            choices={choices}
            rules={useRuleOptions()}
            onChange={(next) => show({ filter: next })}
            onClearEvent={() => show({ event: undefined })}
          />
        }
        onClearFilters={() => show({ filter: NO_MESSAGE_FILTER, event: undefined })}
        emptyHint={t('No messages yet. They appear here when a rule tells of an event.')}
        csvPath={NOTIFY_MESSAGES_PATH}
        hasTimes
      />
      {opened !== undefined && (
        <MessageDialog
          message={newestMessages([opened], rows)[0] ?? opened}
          names={names}
          onChanged={reload}
          onExplain={(id) => show({ tab: 'explain', event: id })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** Another filter begins without a selection: nobody means rows that they don't see. */
function useChosen({ filter, event }: ShownNotifyView) {
  const narrowing = JSON.stringify([filter, event]);
  const [chosen, setChosen] = useState({ narrowing, messages: NONE });
  if (chosen.narrowing !== narrowing) setChosen({ narrowing, messages: NONE });
  return [chosen.messages, (messages: readonly NotifyMessage[]) => setChosen({ narrowing, messages })] as const;
}

/** The first by name; the filter has one that is not among them by its number. */
function useRuleOptions(): readonly Option<string>[] {
  const { value } = useRecord({
    key: ['notify-rule-options'],
    load: (signal) => listNotifyRules({ place: { offset: 0 }, limit: RULES_LISTED, sort: 'name' }, signal),
    changedBy: ['notifyrule'],
  });
  return (value?.rows ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}

const RULES_LISTED = 100;
