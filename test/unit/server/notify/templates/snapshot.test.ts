import { describe, expect, it } from 'vitest';
import { decideSnapshot, MAX_PICTURE_BYTES } from '../../../../../server/notify/templates/snapshot.ts';
import type { NewEventMedia, StoredEventMedia } from '../../../../../server/store/events/eventMediaRows.ts';
import { anEventMedia } from '../../../../support/anEventMedia.ts';

const CREATED_MS = 1_795_000_000_000;

function media(id: number, changes: Partial<NewEventMedia> = {}): StoredEventMedia {
  return { ...anEventMedia(changes), id };
}

function file(bytes: number, contentType = 'image/jpeg') {
  return { fileId: 'ab'.repeat(16), contentType, bytes, sha256: '' };
}

const decide = (all: readonly StoredEventMedia[], afterMs: number) =>
  decideSnapshot({ media: all, createdAtMs: CREATED_MS, nowMs: CREATED_MS + afterMs });

const sent = (id: number) => ({ do: 'send', picture: expect.objectContaining({ id }) });
const bare = { do: 'send', picture: undefined };
const requested = media(1, { state: 'requested', file: undefined });

describe('the picture of a mail', () => {
  it('is the newest that is stored', () => {
    const all = [media(1, { takenAtMs: 5 }), media(2, { takenAtMs: 9 }), media(3, { takenAtMs: 7 })];
    expect(decide(all, 0)).toEqual(sent(2));
  });

  it('is waited for while it is on its way, for fifteen seconds', () => {
    expect(decide([requested], 0)).toEqual({ do: 'wait', untilMs: CREATED_MS + 2_000 });
    expect(decide([requested], 14_000)).toEqual({ do: 'wait', untilMs: CREATED_MS + 15_000 });
    expect(decide([requested], 15_000)).toEqual(bare);
    expect(decide([media(1, { state: 'receiving', file: undefined })], 0)).toMatchObject({ do: 'wait' });
  });

  it('is not waited for where one is there, or none will come', () => {
    expect(decide([requested, media(2)], 0)).toEqual(sent(2));
    expect(decide([media(1, { state: 'failed', file: undefined })], 0)).toEqual(bare);
    expect(decide([media(1, { kind: 'attachment', state: 'requested', file: undefined })], 1_000)).toEqual(bare);
  });

  it('is looked for once more after a second, by when it has been asked for', () => {
    expect(decide([], 0)).toEqual({ do: 'wait', untilMs: CREATED_MS + 1_000 });
    expect(decide([], 1_000)).toEqual(bare);
  });

  it('is left out where it is too large, or none that mail clients show', () => {
    expect(decide([media(1, { file: file(MAX_PICTURE_BYTES) })], 0)).toEqual(sent(1));
    expect(decide([media(1, { file: file(MAX_PICTURE_BYTES + 1) })], 0)).toEqual(bare);
    expect(decide([media(1, { file: file(10, 'video/mp4') })], 0)).toEqual(bare);
  });
});
