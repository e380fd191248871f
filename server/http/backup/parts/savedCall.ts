// What the kinds of records have in common.
import type { ApiCall } from './callsAs.ts';
import type { PartFields, WantedRecord } from './partRecords.ts';

/** Added, or changed where it was as it is planned on. */
export function saved(path: string, content: PartFields, present: WantedRecord['present']): ApiCall {
  if (present === undefined) return { method: 'POST', url: path, body: content };
  const url = `${path}/${encodeURIComponent(present.id)}`;
  return { method: 'PUT', url, body: { ...content, version: present.version } };
}

export function textsOf(value: unknown): readonly string[] {
  return value as readonly string[];
}
