import { describe, expect, it } from 'vitest';
import type { Header } from '../../../../../../server/device/jt808/codec/header.ts';
import { PartAssembler, type PartEvent, type PartLimits } from '../../../../../../server/device/jt808/codec/parts.ts';

interface Sent {
  readonly number: number;
  readonly serial: number;
  readonly body: readonly number[];
  readonly messageId?: number;
  readonly total?: number;
}

function setUp(limits: Partial<PartLimits> = {}) {
  let nowMs = 0;
  const assembler = new PartAssembler(() => nowMs, limits);
  const send = ({ number, serial, body, messageId = 0x0704, total = 3 }: Sent): PartEvent => {
    const header: Header = {
      messageId,
      edition: '2013',
      protocolVersion: 0,
      encryption: 0,
      terminal: { raw: '013912344323', canonical: '13912344323' },
      serial,
      part: { total, number },
      bodyLength: body.length,
    };
    return assembler.add(header, Uint8Array.from(body));
  };
  const wait = (ms: number): void => {
    nowMs += ms;
  };
  return { assembler, send, wait };
}

const complete = (bytes: readonly number[], serials: readonly number[], messageId = 0x0704) => ({
  kind: 'complete',
  messageId,
  edition: '2013',
  bytes: Uint8Array.from(bytes),
  serials,
  set: expect.anything(),
});
const stored = { kind: 'stored' };
const duplicate = { kind: 'duplicate' };

describe('PartAssembler', () => {
  it('joins packages in the order of their numbers, whatever their serials', () => {
    const { send } = setUp();
    expect(send({ number: 1, serial: 15, body: [1, 2] })).toEqual(stored);
    expect(send({ number: 3, serial: 17, body: [5] })).toEqual(stored);
    expect(send({ number: 2, serial: 90, body: [3, 4] })).toEqual(complete([1, 2, 3, 4, 5], [15, 90, 17]));
  });

  it('takes package 1 last where its serial goes before the others', () => {
    const { send } = setUp();
    send({ number: 3, serial: 1, body: [3] });
    send({ number: 2, serial: 0, body: [2] });
    expect(send({ number: 1, serial: 65_535, body: [1] })).toEqual(complete([1, 2, 3], [65_535, 0, 1]));
  });

  it('takes a message of one package', () => {
    expect(setUp().send({ number: 1, serial: 1, body: [9], total: 1 })).toEqual(complete([9], [1]));
  });

  it('keeps messages of other ids and totals apart', () => {
    const { send } = setUp();
    send({ number: 1, serial: 1, body: [1], total: 2 });
    send({ number: 1, serial: 2, body: [2], total: 2, messageId: 0x1205 });
    expect(send({ number: 2, serial: 3, body: [3], total: 2 })).toEqual(complete([1, 3], [1, 3]));
    expect(send({ number: 2, serial: 4, body: [4], total: 2, messageId: 0x1205 })).toEqual(
      complete([2, 4], [2, 4], 0x1205),
    );
  });

  it('refuses numbers that do not exist', () => {
    const { send } = setUp();
    for (const [number, total] of [
      [0, 3],
      [4, 3],
      [0, 0],
      [1, 0],
    ]) {
      expect(send({ number: number ?? 0, serial: 1, body: [1], total: total ?? 0 })).toEqual({
        kind: 'refused',
        reason: 'number',
      });
    }
  });

  it('knows a package sent twice, before and after the message is complete', () => {
    const { send } = setUp();
    send({ number: 1, serial: 1, body: [1], total: 2 });
    expect(send({ number: 1, serial: 1, body: [1], total: 2 })).toEqual(duplicate);
    const whole = send({ number: 2, serial: 2, body: [2], total: 2 });
    const of = whole.kind === 'complete' ? whole.set : undefined;
    expect(send({ number: 2, serial: 2, body: [2], total: 2 })).toEqual({ ...duplicate, of });
    expect(send({ number: 1, serial: 1, body: [1], total: 2 })).toEqual(duplicate);
  });

  it('does not take the next message for a repetition', () => {
    const { send } = setUp();
    for (const first of [1, 3, 5]) {
      expect(send({ number: 1, serial: first, body: [7], total: 2 })).toEqual(stored);
      expect(send({ number: 2, serial: first + 1, body: [8], total: 2 })).toEqual(complete([7, 8], [first, first + 1]));
    }
  });

  it('does not take it for one even from a terminal that does not count', () => {
    const { send } = setUp();
    for (const content of [1, 2, 3]) {
      expect(send({ number: 1, serial: 0, body: [content], total: 2 })).toEqual(stored);
      expect(send({ number: 2, serial: 0, body: [content], total: 2 })).toEqual(complete([content, content], [0, 0]));
    }
  });

  it('begins anew with a package that has other bytes', () => {
    const { send } = setUp();
    send({ number: 1, serial: 1, body: [1] });
    send({ number: 2, serial: 2, body: [2] });
    expect(send({ number: 1, serial: 11, body: [10] })).toEqual(stored);
    expect(send({ number: 2, serial: 12, body: [20] })).toEqual(stored);
    expect(send({ number: 3, serial: 13, body: [30] })).toEqual(complete([10, 20, 30], [11, 12, 13]));
  });

  it('does not mix a message that lost its beginning with the next', () => {
    const { send } = setUp();
    send({ number: 2, serial: 2, body: [2] });
    send({ number: 3, serial: 3, body: [3] });
    expect(send({ number: 1, serial: 11, body: [10] })).toEqual(stored);
    send({ number: 2, serial: 12, body: [20] });
    expect(send({ number: 3, serial: 13, body: [30] })).toEqual(complete([10, 20, 30], [11, 12, 13]));
  });

  it('keeps the set where package 1 comes again for the same reply serial', () => {
    const { send } = setUp();
    const resources = { messageId: 0x1205, total: 3 };
    send({ ...resources, number: 1, serial: 1, body: [0, 7, 1] });
    send({ ...resources, number: 2, serial: 2, body: [2] });
    expect(send({ ...resources, number: 1, serial: 8, body: [0, 7, 9] })).toEqual(stored);
    expect(send({ ...resources, number: 3, serial: 3, body: [3] })).toEqual(
      complete([0, 7, 9, 2, 3], [8, 2, 3], 0x1205),
    );
  });

  it('follows a message that is sent all over again with another content', () => {
    const { send } = setUp();
    const resources = { messageId: 0x1205, total: 3 };
    send({ ...resources, number: 1, serial: 1, body: [0, 7, 1] });
    send({ ...resources, number: 2, serial: 2, body: [2] });
    send({ ...resources, number: 1, serial: 11, body: [0, 7, 10] });
    send({ ...resources, number: 2, serial: 12, body: [20] });
    expect(send({ ...resources, number: 3, serial: 13, body: [30] })).toEqual(
      complete([0, 7, 10, 20, 30], [11, 12, 13], 0x1205),
    );
  });
});

describe('missing packages', () => {
  it('are asked for after a silence, again and again, and then given up', () => {
    const { assembler, send, wait } = setUp({ missingAfterMs: 5000, maxRequests: 2 });
    send({ number: 1, serial: 100, body: [1], total: 4 });
    send({ number: 3, serial: 102, body: [3], total: 4 });
    expect(assembler.nextDueMs()).toBe(5000);
    wait(4999);
    expect(assembler.due()).toEqual([]);
    wait(1);
    const missing = { kind: 'missing', messageId: 0x0704, firstSerial: 100, numbers: [2, 4], first: Uint8Array.of(1) };
    expect(assembler.due()).toEqual([missing]);
    expect(assembler.due()).toEqual([]);
    wait(5000);
    expect(assembler.due()).toEqual([missing]);
    wait(5000);
    expect(assembler.due()).toEqual([{ kind: 'expired', messageId: 0x0704, total: 4, received: 2 }]);
    expect(assembler.nextDueMs()).toBeUndefined();
  });

  it('may come with their old serials or with new ones', () => {
    const { assembler, send, wait } = setUp();
    send({ number: 1, serial: 1, body: [1] });
    send({ number: 3, serial: 3, body: [3] });
    wait(5000);
    expect(assembler.due()).toHaveLength(1);
    expect(send({ number: 2, serial: 77, body: [2] })).toEqual(complete([1, 2, 3], [1, 77, 3]));
    expect(assembler.nextDueMs()).toBeUndefined();
  });

  it('put the request off while others still come', () => {
    const { assembler, send, wait } = setUp();
    send({ number: 1, serial: 1, body: [1] });
    wait(4000);
    send({ number: 2, serial: 2, body: [2] });
    wait(4000);
    expect(assembler.due()).toEqual([]);
    expect(assembler.nextDueMs()).toBe(9000);
  });

  it('are asked for once with a computed serial where package 1 is among them', () => {
    const { assembler, send, wait } = setUp();
    send({ number: 3, serial: 1, body: [3] });
    wait(5000);
    expect(assembler.due()).toMatchObject([
      { kind: 'missing', firstSerial: 65_535, numbers: [1, 2], first: undefined },
    ]);
    wait(5000);
    expect(assembler.due()).toMatchObject([{ kind: 'expired' }]);
  });

  it('are asked for further once package 1 has come, with whatever serial', () => {
    const { assembler, send, wait } = setUp();
    send({ number: 3, serial: 3, body: [3] });
    wait(5000);
    assembler.due();
    expect(send({ number: 1, serial: 40, body: [1] })).toEqual(stored);
    wait(5000);
    expect(assembler.due()).toMatchObject([{ kind: 'missing', firstSerial: 40, numbers: [2] }]);
  });

  it('are named 125 at a time', () => {
    const { assembler, send, wait } = setUp();
    send({ number: 1, serial: 1, body: [1], total: 65_535 });
    wait(5000);
    const [reminder] = assembler.due();
    expect(reminder?.kind === 'missing' && reminder.numbers).toEqual(
      Array.from({ length: 125 }, (_, index) => index + 2),
    );
  });

  it('are forgotten with their message after a long silence, even if nobody asked what is due', () => {
    const { send, wait } = setUp();
    send({ number: 1, serial: 1, body: [1], total: 2 });
    wait(60_000);
    expect(send({ number: 2, serial: 2, body: [2], total: 2 })).toEqual(stored);
  });
});

describe('limits', () => {
  it('let the message longest without a package make room', () => {
    const { send, wait } = setUp({ maxSets: 2 });
    for (const total of [2, 3, 4]) {
      send({ number: 1, serial: 1, body: [1], total });
      wait(1);
    }
    expect(send({ number: 2, serial: 2, body: [2], total: 3 })).toEqual(stored);
    expect(send({ number: 3, serial: 3, body: [3], total: 3 })).toMatchObject({ kind: 'complete' });
    expect(send({ number: 2, serial: 2, body: [2], total: 2 })).toEqual(stored);
  });

  it('refuse what grows too large, and free what it held', () => {
    const { assembler, send, wait } = setUp({ maxBytes: 2500 });
    const body = Array.from({ length: 1000 }, () => 1);
    expect(send({ number: 1, serial: 1, body, total: 9 })).toEqual(stored);
    expect(send({ number: 2, serial: 2, body, total: 9 })).toEqual(stored);
    expect(send({ number: 3, serial: 3, body, total: 9 })).toEqual({ kind: 'refused', reason: 'size' });
    expect(send({ number: 4, serial: 4, body: [], total: 9 })).toEqual({ kind: 'refused', reason: 'size' });
    expect(send({ number: 1, serial: 5, body, total: 2 })).toEqual(stored);
    expect(send({ number: 2, serial: 6, body, total: 2 })).toMatchObject({ kind: 'complete' });
    wait(60_000);
    expect(assembler.due()).toEqual([{ kind: 'expired', messageId: 0x0704, total: 9, received: 0 }]);
  });

  it('count empty packages too', () => {
    const { send } = setUp({ maxBytes: 100_000 });
    const kinds = new Set<string>();
    for (let number = 1; number <= 60_000; number++)
      kinds.add(send({ number, serial: 1, body: [], total: 65_535 }).kind);
    expect(kinds).toEqual(new Set(['stored', 'refused']));
  });
});
