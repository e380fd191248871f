import type { NewEventMedia } from '../../server/store/events/eventMediaRows.ts';

/** A stored picture of an event. */
export function anEventMedia(change: Partial<NewEventMedia> = {}): NewEventMedia {
  const file = { fileId: 'ab'.repeat(16), contentType: 'image/jpeg', bytes: 100, sha256: 'cd'.repeat(32) };
  return {
    eventId: 0,
    eventBeginAtMs: 0,
    archiveNumber: 4,
    kind: 'snapshot',
    channel: 2,
    name: '',
    state: 'stored',
    bytes: 100,
    file,
    terminalMediaId: 7,
    attempts: 1,
    takenAtMs: 1_795_000_001_000,
    requestedAtMs: 1_795_000_002_000,
    storedAtMs: 1_795_000_003_000,
    ...change,
  };
}
