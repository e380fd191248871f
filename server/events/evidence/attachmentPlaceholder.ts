// The placeholder of an alarm's files before their names are known: one row of the event, which the list of files replaces.
import { EventMediaBit } from '../../../shared/protocol/api/events.ts';
import type { EventMediaStore } from '../../store/events/eventMedia.ts';
import type { EventRef, NewEventMedia } from '../../store/events/eventMediaRows.ts';

export interface PlaceholderTarget extends EventRef {
  readonly archiveNumber: number;
}

export async function addPlaceholder(
  media: Pick<EventMediaStore, 'add'>,
  { eventId, eventBeginAtMs, archiveNumber }: PlaceholderTarget,
  { state, atMs }: { readonly state: 'requested' | 'failed'; readonly atMs: number },
): Promise<void> {
  const what = { kind: 'attachment', channel: 0, name: '', state, bytes: 0, attempts: 0 } as const;
  const unknown = { file: undefined, terminalMediaId: undefined, takenAtMs: 0, storedAtMs: 0 };
  const row: NewEventMedia = { eventId, eventBeginAtMs, archiveNumber, ...what, ...unknown, requestedAtMs: atMs };
  await media.add([row], EventMediaBit.Attachment);
}

/** Marks the files as failed. Placeholders of two alarms of one event are alike: either stands for it. */
export async function failPlaceholder(
  media: Pick<EventMediaStore, 'ofEvent' | 'setState'>,
  { eventId }: PlaceholderTarget,
): Promise<void> {
  const rows = await media.ofEvent(eventId);
  const waiting = rows.find(({ kind, name, state }) => kind === 'attachment' && name === '' && state === 'requested');
  if (waiting !== undefined) await media.setState([waiting.id], 'failed');
}
