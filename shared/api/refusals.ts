// What a refused change says beside its code: the fields that are not accepted, or the record as it is now.
import type { ApiFailure } from './client.ts';

/** Field codes by field, empty when the refusal names none. The codes are keys of the `Fields` translations. */
export function refusedFields(failure: ApiFailure): Readonly<Record<string, string>> {
  const fields = dataOf(failure).fields;
  if (typeof fields !== 'object' || fields === null) return {};
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The record as another user left it, unread; undefined when the refusal is no write conflict. */
export function conflictingRecord(failure: ApiFailure): unknown {
  if (failure.kind !== 'http' || failure.status !== 409 || failure.code !== 'conflict') return undefined;
  return dataOf(failure).current;
}

function dataOf(failure: ApiFailure): Readonly<Record<string, unknown>> {
  const data = failure.kind === 'http' ? failure.data : undefined;
  return typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {};
}
