import type { FastifyInstance } from 'fastify';
import {
  NOTIFY_MESSAGE_SORTS,
  NOTIFY_MESSAGES_PATH,
  NotifyMessage,
  NotifyMessageFilters,
} from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { callerOf } from '../../kernel/caller.ts';
import { scopeOf } from '../../kernel/callerScope.ts';
import { type CsvRow, csvTimestamp } from '../../kernel/lists/csv.ts';
import { listRoutes } from '../../kernel/lists/listRoutes.ts';
import { MESSAGE_ACCESS, type NotifyMessageDeps } from './messageDeps.ts';

/** `GET /api/eventnotify/messages` and the same as CSV. Nothing is searched: no index finds a part of a name among a million rows. */
export function registerMessageList(app: FastifyInstance, { stores }: NotifyMessageDeps): void {
  listRoutes(app, {
    path: NOTIFY_MESSAGES_PATH,
    summary: 'Notifications: what was sent to whom, when, and what the other side answered',
    access: MESSAGE_ACCESS,
    row: NotifyMessage,
    sorts: NOTIFY_MESSAGE_SORTS,
    order: { sort: 'createdAtMs', descending: true },
    filters: NotifyMessageFilters,
    scope: (request) => scopeOf(callerOf(request)).memberGroup,
    load: ({ filters: { state, sender, rule, event, deviceid, from, to }, search: _unused, ...page }, memberGroup) =>
      stores.notifyMessages.page({
        ...page,
        memberGroup,
        state,
        sender: numberOf(sender),
        rule: numberOf(rule),
        event: numberOf(event),
        deviceId: deviceid,
        fromMs: numberOf(from),
        toMs: numberOf(to),
      }),
    csv: { fileName: 'notifications.csv', columns: CSV_COLUMNS, cells: () => cellsOf },
  });
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

const CSV_COLUMNS = [
  'id',
  'made',
  'finished',
  'state',
  'event',
  'events',
  'type',
  'severity',
  'device id',
  'device',
  'rule',
  'step',
  'sender',
  'kind',
  'recipient',
  'subject',
  'attempts',
  'answer',
  'key',
];

function cellsOf(message: NotifyMessage): CsvRow {
  const { id, createdAtMs, finishedAtMs, state, event, events, type, severity, deviceid, deviceName } = message;
  const { ruleName, step, senderName, kind, recipient, subject, attempts, answer, key } = message;
  const times = [csvTimestamp(createdAtMs), csvTimestamp(finishedAtMs)];
  const what = [state, event, events, type, severity, deviceid, deviceName];
  return [id, ...times, ...what, ruleName, step, senderName, kind, recipient, subject, attempts, answer, key];
}
