import { builtInRow } from '../../../../../server/events/types/builtInRows.ts';
import type { StoredEventType } from '../../../../../server/store/events/eventTypes.ts';
import type { BuiltInCode } from '../../../../../shared/protocol/events/builtInTypes.ts';

/** A built-in type as a new installation has it. */
export function storedType(code: BuiltInCode, changes: Partial<StoredEventType> = {}): StoredEventType {
  const row = builtInRow(code);
  if (row === undefined) throw new Error(`no ${code}`);
  return { ...row, version: 1, ...changes };
}
