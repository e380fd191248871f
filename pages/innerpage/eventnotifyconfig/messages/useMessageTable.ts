import { useMemo } from 'react';
import { listNotifyMessages } from '../../../../shared/api/notify/notifyMessages.ts';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { type Table, useTable } from '../../../../shared/ui/table/useTable.ts';
import { type NotifyView, startOfPeriod } from '../notifyAddress.ts';

/** The newest first. */
export function useMessageTable({ filter, event }: Pick<NotifyView, 'filter' | 'event'>): Table<NotifyMessage> {
  const { period, state, sender, rule, device } = filter;
  // The same question while the period is the same: one that moves on would ask again and again.
  const from = useMemo(() => startOfPeriod(period, Date.now()), [period]);
  const filters = useMemo(
    () => ({ from, state, sender, rule, deviceid: device, event }),
    [from, state, sender, rule, device, event],
  );
  return useTable({
    name: 'notify-messages',
    load: listNotifyMessages,
    sorting: { column: 'createdAtMs', descending: true },
    filters,
    // The list has no search.
    search: '',
  });
}
