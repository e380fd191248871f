import { Type } from 'typebox';
import type { RecordOf } from '../../../shared/protocol/api/records.ts';
import { EnvelopeOf, ErrorAnswers } from './envelope.ts';

interface Answer<Record> {
  readonly error: false;
  readonly data: Record;
}

/** What a route may answer: the record in its envelope, or an error. */
export function answers<Data extends Type.TSchema>(data: Data) {
  return { 200: Type.Unsafe<Answer<RecordOf<Data>>>(EnvelopeOf(data)), ...ErrorAnswers };
}
