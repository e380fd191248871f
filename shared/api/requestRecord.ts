import type { TSchema } from 'typebox/type';
import type { RecordOf } from '../protocol/api/records.ts';
import { type ApiResult, mapResult, type RequestOptions, requestJson } from './client.ts';
import { readRecord } from './readRecord.ts';

/** One call, and its answer read by the record's schema. */
export async function requestRecord<Schema extends TSchema>(
  path: string,
  schema: Schema,
  options: RequestOptions = {},
): Promise<ApiResult<RecordOf<Schema>>> {
  return mapResult(await requestJson<unknown>(path, options), (data) => readRecord(schema, data));
}
