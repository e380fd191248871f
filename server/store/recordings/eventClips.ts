// What an event says of the recordings around it.
import type { StoreDb } from '../engine/database.ts';

export interface EventOfClip {
  readonly eventId: number;
  readonly eventBeginAtMs: number;
}

/** `stored`: they are held. `failed`: nothing was recorded, or there was no room. `removed`: they are held no more. */
export type ClipState = 'requested' | 'stored' | 'failed' | 'removed';

export async function setClip(db: StoreDb, { eventId }: EventOfClip, state: ClipState): Promise<void> {
  const clip = db.updateTable('event_media').set({ state }).where('event_id', '=', eventId).where('kind', '=', 'clip');
  await clip.execute();
}

/**
 * In a transaction. Files before their event, as whoever stores or deletes both changes them: in the other order PostgreSQL would end one of two
 * that meet. And after it, for files that came while it waited for the event.
 */
export async function setHeld(db: StoreDb, { eventId, eventBeginAtMs }: EventOfClip, held: 0 | 1): Promise<void> {
  const files = db.updateTable('event_media').set({ held }).where('event_id', '=', eventId).where('held', '!=', held);
  await files.execute();
  const update = db.updateTable('event').set({ held }).where('id', '=', eventId);
  await update.where('begin_at_ms', '=', eventBeginAtMs).execute();
  await files.execute();
}
