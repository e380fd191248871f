// Rules as callers and a CSV file have them.
import type { NotifyRule } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import type { StoredNotifyRule } from '../../../store/notify/notifyRules.ts';
import type { NotifySenderNameStore } from '../../../store/notify/notifySenderNames.ts';
import { type CsvRow, csvTimestamp } from '../../kernel/lists/csv.ts';

export function toNotifyRule({ memberGroup: _, ...rule }: StoredNotifyRule): NotifyRule {
  return rule;
}

export const RULE_CSV_COLUMNS = [
  'name',
  'enabled',
  'types',
  'severities',
  'device groups',
  'devices',
  'steps',
  'senders',
  'interval minutes',
  'repeat minutes',
  'digest minutes',
  'changed',
  'changed by',
] as const;

export async function ruleCells(senders: NotifySenderNameStore): Promise<(rule: NotifyRule) => CsvRow> {
  const names = new Map((await senders.all()).map(({ id, name }) => [id, name]));
  return (rule) => [
    rule.name,
    rule.enabled ? 'yes' : 'no',
    rule.types.join(' '),
    rule.severities.join(' '),
    rule.deviceGroups.join(' '),
    rule.devices.join(' '),
    rule.steps.map(({ afterMinutes }) => `${afterMinutes} min`).join(', '),
    [...new Set(rule.steps.flatMap(({ deliveries }) => deliveries.map(({ sender }) => names.get(sender) ?? '')))].join(
      ', ',
    ),
    rule.intervalMinutes,
    rule.repeatMinutes,
    rule.digestMinutes,
    csvTimestamp(rule.changedAtMs),
    rule.changedBy,
  ];
}
