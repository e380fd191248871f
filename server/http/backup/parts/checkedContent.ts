// Contents that come from a backup, held to the same bounds as bodies of calls; refusals of use cases as results of an import.
import type { TSchema } from 'typebox';
import { Check } from 'typebox/value';
import type { RecordOf } from '../../../../shared/protocol/api/records.ts';
import type { RecordVersion } from '../../../store/records/groupRecords.ts';
import { type Refusal, Refused } from '../../kernel/envelope.ts';
import { isStorable } from '../../kernel/storableTexts.ts';
import type { PartRecord, SavedPart } from './partRecords.ts';

type RefusedPart = Extract<SavedPart, { readonly ok: false }>;

type CheckedContent<Content> = { readonly ok: true; readonly content: Content } | RefusedPart;

/** `schema`: the one of the call that adds such a record. */
export function checkedContent<Schema extends TSchema>(
  schema: Schema,
  content: unknown,
): CheckedContent<RecordOf<Schema>> {
  if (!isStorable(content)) return refusedPart(Refused.badText);
  if (!Check(schema, content)) return refusedPart(Refused.badRequest);
  return { ok: true, content: content as RecordOf<Schema> };
}

/** The fault of a field says more than the code of the refusal. */
export function refusedPart({ code, data }: Refusal): RefusedPart {
  const [fault] = data !== undefined && 'fields' in data ? Object.values(data.fields) : [];
  return { ok: false, code: fault ?? code };
}

export function versionOf({ id, version }: PartRecord): RecordVersion {
  return { id: Number(id), version };
}
