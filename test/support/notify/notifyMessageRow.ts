import type { Insertable } from 'kysely';
import type { NotifyMessageTable } from '../../../server/store/notify/tables.ts';

type Row = Insertable<NotifyMessageTable>;

const TEXTS = { rule_name: '', sender_name: '', language: 'en', address: '', recipient: '', device_id: '' } as const;
const TIMES = { event_begin_at_ms: 1, created_at_ms: 1, due_at_ms: 1, first_due_at_ms: 1 } as const;
const NUMBERS = { rule: 1, step: 1, sender: 1, kind: 0, template: 0, event_id: 1, archive_number: 0 } as const;
const REST = { severity: 0, events: 1, type: 'speeding', waits_quiet: 0, repeat_ms: 0, repeat_until_ms: 0 } as const;

/** A message that waits, as the database keeps it. */
export function notifyMessageRow(changes: Partial<Row> & Pick<Row, 'member_group'>): Row {
  const parts = { ...TEXTS, ...TIMES, ...NUMBERS, ...REST };
  return { ...parts, key: 'k1', device_name: '', digest_key: '', user_id: null, state: 0, ...changes };
}
