// Senders as pages see them: without their secrets.
import type { Sender } from '../../../../shared/protocol/api/notify/senders.ts';
import type { ListedSender } from '../../../store/notify/notifySenders.ts';
import { type CsvRow, csvTimestamp } from '../../kernel/lists/csv.ts';

export function showSender(sender: ListedSender): Sender {
  const { sealedSecret, ...shown } = sender;
  return { ...shown, hasSecret: sealedSecret !== '' };
}

export const SENDER_CSV_COLUMNS = [
  'id',
  'name',
  'kind',
  'enabled',
  'per minute',
  'waiting',
  'last sent',
  'failures',
  'last failure',
  'reason',
];

export function senderCells(sender: Sender): CsvRow {
  const { id, name, kind, enabled, perMinute, waiting, lastSentAtMs, failures, lastFailureAtMs, lastFailure } = sender;
  const times = [csvTimestamp(lastSentAtMs), failures, csvTimestamp(lastFailureAtMs)];
  return [String(id), name, kind, String(enabled), perMinute, waiting, ...times, lastFailure];
}
