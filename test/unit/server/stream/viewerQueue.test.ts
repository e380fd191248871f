import { describe, expect, it } from 'vitest';
import { withDiscontinuity } from '../../../../server/media/hubPacket.ts';
import { QUEUED_BYTES_LIMIT, ViewerQueue } from '../../../../server/stream/viewerQueue.ts';
import { readPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import { formatPacket, packetOf } from '../media/packets.ts';

describe('ViewerQueue', () => {
  it('begins with a key frame, and with sound as it comes', () => {
    const queue = new ViewerQueue();
    expect(queue.admit(packetOf('delta'), 0)).toBe('drop');
    expect(queue.admit(packetOf('audio'), 0)).toBe('send');
    expect(queue.admit(packetOf('key'), 0)).toBe('send');
    expect(queue.admit(packetOf('delta'), 0)).toBe('send');
  });

  it('sends everything while the socket keeps up', () => {
    const queue = new ViewerQueue();
    expect(queue.admit(packetOf('key'), 0)).toBe('send');
    expect(queue.admit(packetOf('delta'), QUEUED_BYTES_LIMIT.max)).toBe('send');
  });

  it('drops a slow viewer to the next key frame, never single frames', () => {
    const queue = new ViewerQueue();
    queue.admit(packetOf('key'), 0);
    expect(queue.admit(packetOf('delta'), QUEUED_BYTES_LIMIT.max + 1)).toBe('drop');
    expect(queue.admit(packetOf('delta'), 0)).toBe('drop');
    expect(queue.admit(packetOf('audio'), 0)).toBe('send');
    expect(queue.admit(packetOf('key'), 0)).toBe('send-after-gap');
    expect(queue.admit(packetOf('delta'), 0)).toBe('send');
  });

  it('drops the key frame too while the socket is still full', () => {
    const queue = new ViewerQueue();
    queue.admit(packetOf('key'), 0);
    queue.admit(packetOf('delta'), QUEUED_BYTES_LIMIT.max + 1);
    expect(queue.admit(packetOf('key'), QUEUED_BYTES_LIMIT.max + 1)).toBe('drop');
    expect(queue.admit(packetOf('key'), 0)).toBe('send-after-gap');
  });

  it('tells of each group that loses its rest or is left out, once', () => {
    let groups = 0;
    const queue = new ViewerQueue({ onGroupCut: () => groups++ });
    queue.admit(packetOf('key'), 0);
    for (let at = 0; at < 3; at++) queue.admit(packetOf('delta'), QUEUED_BYTES_LIMIT.max + 1);
    expect(groups).toBe(1);
    for (const kind of ['key', 'delta', 'delta'] as const) queue.admit(packetOf(kind), QUEUED_BYTES_LIMIT.max + 1);
    expect(groups).toBe(2);
    queue.admit(packetOf('key'), 0);
    queue.breakOff();
    expect(groups).toBe(2);
  });

  it('costs no picture for a piece of sound, and never loses what the sound is', () => {
    const queue = new ViewerQueue();
    queue.admit(packetOf('key'), 0);
    expect(queue.admit(packetOf('audio'), QUEUED_BYTES_LIMIT.max + 1)).toBe('drop');
    expect(queue.admit(formatPacket(), QUEUED_BYTES_LIMIT.max + 1)).toBe('send');
    expect(queue.admit(packetOf('delta'), 0)).toBe('send');
  });

  it('goes on with a flagged key frame for a viewer that did without pictures, and a plain one for who had none', () => {
    const queue = new ViewerQueue();
    queue.breakOff();
    expect(queue.admit(packetOf('key'), 0)).toBe('send');
    queue.breakOff();
    expect(queue.admit(packetOf('delta'), 0)).toBe('drop');
    expect(queue.admit(packetOf('key'), 0)).toBe('send-after-gap');
  });
});

describe('withDiscontinuity', () => {
  it('flags a copy and leaves the shared packet alone', () => {
    const packet = packetOf('key');
    const flagged = withDiscontinuity(packet);
    const flagOf = (bytes: Uint8Array<ArrayBuffer>): boolean | undefined => {
      const read = readPacket(bytes);
      return read.kind === 'packet' ? read.packet.discontinuity : undefined;
    };
    expect(flagOf(flagged.bytes)).toBe(true);
    expect(flagOf(packet.bytes)).toBe(false);
  });
});
