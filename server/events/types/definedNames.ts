// Names of event types and of the reasons that events are closed for.
import type { EventTypeContent } from '../../../shared/protocol/api/eventTypes.ts';
import { builtInReason } from '../../../shared/protocol/events/builtInReasons.ts';
import { builtInType } from '../../../shared/protocol/events/builtInTypes.ts';

interface Named {
  readonly code: string;
  readonly nameEn: string;
}

/** The name for the audit log, which also distinguishes types. */
export function englishNameOfType({ code, nameEn }: Named): string {
  return nameEn === '' ? (builtInType(code)?.name ?? code) : nameEn;
}

export function englishNameOfReason({ code, nameEn }: Named): string {
  return nameEn === '' ? (builtInReason(code)?.name ?? code) : nameEn;
}

type Names = Pick<EventTypeContent, 'nameEn' | 'nameZh' | 'nameJp'>;

/** Without blanks around them. */
export function tidyNames({ nameEn, nameZh, nameJp }: Names): Names {
  return { nameEn: nameEn.trim(), nameZh: nameZh.trim(), nameJp: nameJp.trim() };
}

/** Whether another entry has the name: nobody could tell the two apart in a list or a filter. */
export function isNameTaken(name: string, others: readonly string[]): boolean {
  return others.map(nameKey).includes(nameKey(name));
}

function nameKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}
