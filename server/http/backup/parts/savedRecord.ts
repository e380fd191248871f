// A record that a use case saves in an import.
import type { Type } from 'typebox';
import type { RecordOf } from '../../../../shared/protocol/api/records.ts';
import type { Outcome } from '../../../store/outcome.ts';
import type { Refusal } from '../../kernel/envelope.ts';
import { checkedContent, refusedPart } from './checkedContent.ts';
import type { SavedPart } from './partRecords.ts';

interface Identified {
  readonly id: number | string;
}

/** Saves a content that the schema of the record's call lets pass. A refusal gets the code that the call would have given. */
export async function savedRecord<Schema extends Type.TSchema, Reason>(
  schema: Schema,
  content: unknown,
  save: (content: RecordOf<Schema>) => Promise<Outcome<Identified, Reason>>,
  refusalOf: (reason: Reason) => Refusal,
): Promise<SavedPart> {
  const checked = checkedContent(schema, content);
  if (!checked.ok) return checked;
  const saved = await save(checked.content);
  if (!saved.ok) return refusedPart(refusalOf(saved.reason));
  const { id } = saved.value;
  return id === undefined ? { ok: true } : { ok: true, id };
}
