// The calls of a versioned record, as the gateway's `recordRoutes` answers them.
import type { TSchema } from 'typebox/type';
import { Nothing, type RecordOf } from '../protocol/api/records.ts';
import type { ApiResult } from './client.ts';
import { type ListPage, type ListQuery, requestList } from './list.ts';
import { readRecord } from './readRecord.ts';
import { requestRecord } from './requestRecord.ts';

export interface RecordVersion {
  readonly id: number;
  readonly version: number;
}

export interface RecordClient<Content, Row> {
  list(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<Row>>>;
  add(content: Content): Promise<ApiResult<Row>>;
  change(named: RecordVersion, content: Content): Promise<ApiResult<Row>>;
  remove(named: RecordVersion): Promise<ApiResult<unknown>>;
  /** The record as another member has left it, from a refusal. */
  read(current: unknown): Row;
}

export function recordClient<Content extends object, Schema extends TSchema>(
  path: string,
  row: Schema,
): RecordClient<Content, RecordOf<Schema>> {
  return {
    list: (query, signal) => requestList(path, row, query, signal),
    add: (content) => requestRecord(path, row, { method: 'POST', body: content }),
    change: ({ id, version }, content) =>
      requestRecord(`${path}/${id}`, row, { method: 'PUT', body: { ...content, version } }),
    remove: ({ id, version }) => requestRecord(`${path}/${id}`, Nothing, { method: 'DELETE', query: { version } }),
    read: (current) => readRecord(row, current),
  };
}
