// What the command `restore` prints of a restore that would be made, or was. Pure.
import type { KeptByRestore } from '../backup/restore/carryOver.ts';
import type { NameList } from '../backup/restore/nameList.ts';
import type { RestorePlan, TablePlan } from '../backup/restore/planRestore.ts';

export function planLines({ head, schema, since, vanishing, ...plan }: RestorePlan): string[] {
  const made = new Date(head.createdAtMs).toISOString();
  const conversion = schema === 'older' || plan.isOtherEngine ? ' Its rows are converted.' : '';
  return [
    `Made ${made} by version ${head.productVersion} on ${head.engine}.${conversion}`,
    ...(plan.missingHistory.length === 0 ? [] : [`Not in the backup: ${plan.missingHistory.join(', ')}.`]),
    ...namesLine('Devices that would be gone', vanishing.devices),
    ...namesLine('Members who would be gone', vanishing.members),
    `Since the backup: events: ${since.events}, positions: ${since.positions}, audit log entries: ${since.auditRows}.`,
    ...namesLine('Members disabled since', since.disabled),
    ...namesLine('Passwords changed since', since.passwordChanged),
    ...namesLine('Share links revoked since', since.revokedLinks),
    ...plan.tables.flatMap(tableLine),
    'Nothing was changed.',
  ];
}

/** Tables that stay as they are, as far as that is known, are left out. */
function tableLine({ name, now, inArchive, compared }: TablePlan): string[] {
  if (compared === undefined) return now === inArchive ? [] : [`${name}: now: ${now}, in the backup: ${inArchive}.`];
  const { added, kept, removed } = compared;
  return added + removed === 0 ? [] : [`${name}: added: ${added}, kept: ${kept}, removed: ${removed}.`];
}

export function keptLines({ disabled, passwordChanged, revokedLinks, history }: KeptByRestore): string[] {
  const lost = history.filter(({ outcome }) => outcome !== 'kept').map(({ part }) => part);
  return [
    ...(disabled.length === 0 ? [] : [`Disabled since, and still so: ${disabled.join(', ')}.`]),
    ...(passwordChanged.length === 0 ? [] : [`Password changed since, and kept: ${passwordChanged.join(', ')}.`]),
    ...namesLine('Share links revoked since, and still so', revokedLinks),
    ...(lost.length === 0 ? [] : [`Not in the backup, and not kept: ${lost.join(', ')}.`]),
  ];
}

function namesLine(title: string, { names, count }: NameList): string[] {
  if (count === 0) return [];
  const others = count > names.length ? ` and ${count - names.length} more` : '';
  return [`${title}: ${names.join(', ')}${others}.`];
}
