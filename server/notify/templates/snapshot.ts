// The picture in a mail: the event's newest, which may still be on its way when the mail is due.
import type { EventMediaState } from '../../../shared/protocol/events/eventWords.ts';
import type { StoredEventMedia } from '../../store/events/eventMediaRows.ts';

export const MAX_PICTURE_BYTES = 500 * 1024;
/** Picture types that mail clients show. */
const PICTURE_TYPES: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'snapshot.jpg'],
  ['image/png', 'snapshot.png'],
]);
/** Time after the creation of the message: by then an event's pictures have been requested. */
const ASKED_AFTER_MS = 1_000;
const LOOKED_EVERY_MS = 2_000;
const MAX_WAIT_MS = 15_000;

export interface SnapshotQuestion {
  readonly media: readonly StoredEventMedia[];
  readonly createdAtMs: number;
  readonly nowMs: number;
}

export type SnapshotAnswer =
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'send'; readonly picture: StoredEventMedia | undefined };

const UNDERWAY: readonly EventMediaState[] = ['requested', 'receiving'];

export function decideSnapshot({ media, createdAtMs, nowMs }: SnapshotQuestion): SnapshotAnswer {
  const snapshots = media.filter(({ kind }) => kind === 'snapshot');
  const picture = newestOf(snapshots.filter(isSendable));
  if (picture !== undefined) return { do: 'send', picture };
  if (snapshots.length === 0) return waitUntil(createdAtMs + ASKED_AFTER_MS, nowMs);
  const isUnderway = snapshots.some(({ state }) => UNDERWAY.includes(state));
  if (!isUnderway) return { do: 'send', picture: undefined };
  const endMs = createdAtMs + MAX_WAIT_MS;
  return waitUntil(nowMs < endMs ? Math.min(endMs, nowMs + LOOKED_EVERY_MS) : endMs, nowMs);
}

function waitUntil(untilMs: number, nowMs: number): SnapshotAnswer {
  return nowMs < untilMs ? { do: 'wait', untilMs } : { do: 'send', picture: undefined };
}

function isSendable({ state, file }: StoredEventMedia): boolean {
  if (state !== 'stored' || file === undefined) return false;
  return PICTURE_TYPES.has(file.contentType) && file.bytes <= MAX_PICTURE_BYTES;
}

function newestOf(media: readonly StoredEventMedia[]): StoredEventMedia | undefined {
  return media.reduce<StoredEventMedia | undefined>(
    (newest, each) => (newest === undefined || each.takenAtMs >= newest.takenAtMs ? each : newest),
    undefined,
  );
}

/** The name of the picture in the mail. */
export function pictureName(contentType: string): string {
  return PICTURE_TYPES.get(contentType) ?? 'snapshot';
}
