// A record that a use case saves in an import. Contents of an archive come from outside, without the checks that a request has had.
import type { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { RecordOf } from '../../../../shared/protocol/api/records.ts';
import type { Outcome } from '../../../store/outcome.ts';
import { type Refusal, Refused } from '../../kernel/envelope.ts';
import { isStorable } from '../../kernel/storableTexts.ts';
import type { SavedPart } from './partActs.ts';

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
  if (!isStorable(content)) return { ok: false, code: Refused.badText.code };
  if (!Check(schema, content)) return { ok: false, code: Refused.badRequest.code };
  const saved = await save(content as RecordOf<Schema>);
  if (saved.ok) return { ok: true, id: saved.value.id };
  const { data, code } = refusalOf(saved.reason);
  // The fault of a field says more than the code of the refusal.
  const [fault] = data !== undefined && 'fields' in data ? Object.values(data.fields) : [];
  return { ok: false, code: fault ?? code };
}
