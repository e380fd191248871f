import { describe, expect, it } from 'vitest';
import { GeneralResult } from '../../../../../../server/device/jt808/codec/codes.ts';
import {
  ANSWER_TIMEOUT_MS,
  PACKAGE_REPEATS_LIMIT,
  SETTLING_MS,
} from '../../../../../../server/device/jt808/packages/packageSender.ts';
import { settled } from '../fakeTerminal.ts';
import { bytesOf, numbersOf, openSender, type PackageScene, sourceOf, UPGRADE } from './packageScene.ts';

const PACKAGE_BYTES = 1023;

function sending(packages: number, options: { readonly window?: number; readonly firstSerial?: number } = {}) {
  return openSender({ source: sourceOf(bytesOf(packages * PACKAGE_BYTES - 5)), ...options });
}

/** Acknowledges all that comes until nothing more does. */
async function acknowledgeAll({ takeSent, acknowledge }: PackageScene): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    await settled();
    const sent = takeSent();
    if (sent.length === 0) return pieces;
    for (const { serial, body } of sent) {
      pieces[body.part.number - 1] = body.bytes;
      acknowledge(serial);
    }
  }
}

describe('PackageSender', () => {
  it('sends all of it, a window at a time, with serials that go on and wrap', async () => {
    const scene = sending(20, { firstSerial: 0xfffa });
    await settled();
    const first = scene.takeSent();
    expect(first.map(({ serial }) => serial)).toEqual([0xfffa, 0xfffb, 0xfffc, 0xfffd, 0xfffe, 0xffff, 0, 1]);
    expect(first[0]?.body).toMatchObject({ id: UPGRADE, part: { total: 20, number: 1 } });
    for (const { serial } of first) scene.acknowledge(serial);
    const pieces = await acknowledgeAll(scene);
    const all = Buffer.concat([...first.map(({ body }) => body.bytes), ...pieces.slice(8)]);
    expect(all.equals(bytesOf(20 * PACKAGE_BYTES - 5))).toBe(true);
    expect(scene.result()).toBeUndefined();
    scene.timers.advance(SETTLING_MS);
    await settled();
    expect(scene.result()).toEqual({ ok: true });
    expect(scene.progress.at(-1)).toBe(20);
    expect(scene.timers.pending).toBe(0);
  });

  it('holds its last package back until it may go out, and asks once', async () => {
    let asked = 0;
    let allow: (mayEnd: boolean) => void = () => undefined;
    const answer = new Promise<boolean>((resolve) => {
      allow = resolve;
    });
    const beforeEnd = (): Promise<boolean> => {
      asked++;
      return answer;
    };
    const scene = openSender({ source: sourceOf(bytesOf(3 * PACKAGE_BYTES)), beforeEnd });
    await settled();
    expect(numbersOf(scene.takeSent())).toEqual([1, 2]);
    for (const serial of [0, 1]) scene.acknowledge(serial);
    await settled();
    expect(scene.takeSent()).toEqual([]);
    allow(true);
    await settled();
    expect(numbersOf(scene.takeSent())).toEqual([3]);
    scene.sender.resend({ firstSerial: 0, numbers: [3] });
    await settled();
    expect([numbersOf(scene.takeSent()), asked]).toEqual([[3], 1]);
  });

  it('ends as aborted where its last package may not go out', async () => {
    const scene = openSender({ source: sourceOf(bytesOf(PACKAGE_BYTES)), beforeEnd: async () => false });
    await settled();
    expect([scene.takeSent(), scene.result()]).toEqual([[], { ok: false, reason: 'aborted' }]);
  });

  it('sends at an interval to a terminal that acknowledges the last package alone', async () => {
    const scene = openSender({ source: sourceOf(bytesOf(20 * PACKAGE_BYTES)), window: 1, intervalMs: 50 });
    await settled();
    const numbers = numbersOf(scene.takeSent());
    while (numbers.length < 20) {
      scene.timers.advance(49);
      await settled();
      expect(scene.takeSent()).toEqual([]);
      scene.timers.advance(1);
      await settled();
      numbers.push(...numbersOf(scene.takeSent()));
    }
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect(scene.progress.at(-1)).toBe(19);
    scene.acknowledge(19);
    expect(scene.progress.at(-1)).toBe(20);
    scene.timers.advance(SETTLING_MS);
    await settled();
    expect([scene.takeSent(), scene.result()]).toEqual([[], { ok: true }]);
  });

  it('sends at an interval what is asked for, the last package again while nothing is heard, and hears a refusal', async () => {
    const scene = openSender({ source: sourceOf(bytesOf(3 * PACKAGE_BYTES)), intervalMs: 50 });
    const pass = async (ms: number): Promise<number[]> => {
      scene.timers.advance(ms);
      await settled();
      return numbersOf(scene.takeSent());
    };
    await settled();
    expect([numbersOf(scene.takeSent()), await pass(50), await pass(50)]).toEqual([[1], [2], [3]]);
    scene.sender.resend({ firstSerial: 0, numbers: [1, 2] });
    expect([await pass(50), await pass(50), await pass(50)]).toEqual([[1], [2], []]);
    expect(await pass(ANSWER_TIMEOUT_MS)).toEqual([3]);
    scene.acknowledge(1, GeneralResult.Failed);
    await settled();
    expect(scene.result()).toEqual({ ok: false, reason: 'refused', result: GeneralResult.Failed });
  });

  it('gives up a terminal that never acknowledges the last of packages at an interval', async () => {
    const scene = openSender({ source: sourceOf(bytesOf(2 * PACKAGE_BYTES)), intervalMs: 5 });
    await settled();
    for (let round = 0; round < 4; round++) {
      scene.timers.advance(ANSWER_TIMEOUT_MS);
      await settled();
    }
    expect(numbersOf(scene.takeSent())).toEqual([1, 2, 2, 2]);
    expect(scene.result()).toEqual({ ok: false, reason: 'timeout' });
    expect(scene.sender.isAllSent).toBe(true);
  });

  it('waits for each acknowledgement where the terminal takes no more', async () => {
    const scene = sending(3, { window: 1 });
    await settled();
    expect(numbersOf(scene.takeSent())).toEqual([1]);
    scene.acknowledge(0);
    await settled();
    expect(numbersOf(scene.takeSent())).toEqual([2]);
  });

  it('sends again what is not acknowledged, twice, and then gives up', async () => {
    const scene = sending(4, { window: 2 });
    await settled();
    scene.timers.advance(ANSWER_TIMEOUT_MS - 1);
    scene.acknowledge(0);
    await settled();
    expect(numbersOf(scene.takeSent())).toEqual([1, 2, 3]);
    for (let round = 0; round < 2; round++) {
      scene.timers.advance(ANSWER_TIMEOUT_MS - 1);
      await settled();
      expect(scene.takeSent()).toEqual([]);
      scene.timers.advance(1);
      await settled();
      expect(numbersOf(scene.takeSent())).toEqual([2, 3]);
    }
    scene.timers.advance(ANSWER_TIMEOUT_MS);
    await settled();
    expect(scene.result()).toEqual({ ok: false, reason: 'timeout' });
    expect(scene.timers.pending).toBe(0);
  });

  it('begins to count anew with each acknowledgement', async () => {
    const scene = sending(3, { window: 3 });
    await settled();
    for (const serial of [0, 1]) {
      scene.timers.advance(2 * ANSWER_TIMEOUT_MS + 1);
      scene.acknowledge(serial);
      await settled();
    }
    scene.timers.advance(2 * ANSWER_TIMEOUT_MS + 1);
    scene.acknowledge(2);
    scene.timers.advance(SETTLING_MS);
    await settled();
    expect(scene.result()).toEqual({ ok: true });
  });

  it('ignores acknowledgements of what was not sent, and of other messages', async () => {
    const scene = sending(4, { window: 2 });
    await settled();
    scene.takeSent();
    for (const serial of [2, 3, 4, 999, 0xffff]) scene.acknowledge(serial);
    scene.sender.answer(0, 0x8103, GeneralResult.Ok);
    await settled();
    expect([scene.takeSent(), scene.progress]).toEqual([[], []]);
    expect([scene.sender.expects(0, UPGRADE), scene.sender.expects(2, UPGRADE)]).toEqual([true, false]);
  });

  it('does not take an acknowledgement of a package that is still being read', async () => {
    let finishReading: (bytes: number) => void = () => undefined;
    const read = new Promise<number>((resolve) => {
      finishReading = resolve;
    });
    const scene = openSender({ source: { bytes: 10, read: () => read } });
    scene.acknowledge(0);
    finishReading(10);
    await settled();
    expect(numbersOf(scene.takeSent())).toEqual([1]);
    expect(scene.progress).toEqual([]);
  });

  it('sends packages that the terminal asks for, acknowledged or not, and none that there are not', async () => {
    const scene = sending(3, { firstSerial: 7 });
    await acknowledgeAll(scene);
    expect(scene.sender.resend({ firstSerial: 8, numbers: [1] })).toBe(false);
    expect(scene.sender.resend({ firstSerial: 7, numbers: [0, 4, 70_000] })).toBe(true);
    await settled();
    expect(scene.takeSent()).toEqual([]);
    expect(scene.sender.resend({ firstSerial: 7, numbers: [2, 2, 3] })).toBe(true);
    await settled();
    const again = scene.takeSent();
    expect(again.map(({ serial }) => serial)).toEqual([8, 9]);
    expect(scene.progress.at(-1)).toBe(1);
    scene.timers.advance(SETTLING_MS);
    expect(scene.result()).toBeUndefined();
    for (const { serial } of again) scene.acknowledge(serial);
    scene.timers.advance(SETTLING_MS);
    await settled();
    expect(scene.result()).toEqual({ ok: true });
  });

  it('sends a package again that is called bad, but not for ever', async () => {
    const scene = sending(2);
    for (let answer = 0; answer < 3; answer++) {
      await settled();
      expect(numbersOf(scene.takeSent())).toContain(2);
      expect(scene.result()).toBeUndefined();
      scene.acknowledge(1, GeneralResult.BadMessage);
    }
    await settled();
    expect(scene.result()).toEqual({ ok: false, reason: 'refused', result: GeneralResult.BadMessage });
  });

  it.each([GeneralResult.Failed, GeneralResult.NotSupported])('ends when the terminal answers %i', async (code) => {
    const scene = sending(20);
    await settled();
    scene.takeSent();
    scene.acknowledge(2, code);
    scene.acknowledge(0);
    await settled();
    expect(scene.result()).toEqual({ ok: false, reason: 'refused', result: code });
    expect([scene.takeSent(), scene.timers.pending]).toEqual([[], 0]);
  });

  it('ends at once when nobody wants it any more', async () => {
    const scene = sending(20);
    await settled();
    scene.takeSent();
    scene.aborting.abort();
    scene.acknowledge(0);
    await settled();
    expect(scene.result()).toEqual({ ok: false, reason: 'aborted' });
    expect([scene.takeSent(), scene.timers.pending]).toEqual([[], 0]);
  });

  it.each(['closed', 'aborted'] as const)(
    'is delivered once all is acknowledged, though it is %s then',
    async (how) => {
      const scene = sending(2);
      await acknowledgeAll(scene);
      if (how === 'closed') scene.sender.end({ ok: false, reason: 'closed' });
      else scene.aborting.abort();
      await settled();
      expect(scene.result()).toEqual({ ok: true });
    },
  );

  it('ends with its connection', async () => {
    const scene = sending(20);
    await settled();
    scene.socket.isClosed = true;
    scene.acknowledge(0);
    await settled();
    expect(scene.result()).toEqual({ ok: false, reason: 'closed' });
  });

  it('waits for a socket that is full, and gives up a terminal that takes nothing', async () => {
    const scene = sending(4, { window: 1 });
    await settled();
    scene.takeSent();
    scene.socket.isFull = true;
    scene.acknowledge(0);
    await settled();
    expect(scene.takeSent()).toEqual([]);
    scene.socket.isFull = false;
    scene.socket.drained();
    await settled();
    expect(numbersOf(scene.takeSent())).toEqual([2]);
    scene.socket.isFull = true;
    scene.acknowledge(1);
    await settled();
    scene.timers.advance(3 * ANSWER_TIMEOUT_MS);
    await settled();
    expect([scene.takeSent(), scene.result()]).toEqual([[], { ok: false, reason: 'timeout' }]);
  });

  it('says that the source has become shorter, or cannot be read', async () => {
    const short = openSender({ source: { ...sourceOf(bytesOf(2_000)), bytes: 5_000 } });
    const failing = openSender({ source: { bytes: 10, read: () => Promise.reject(new Error('gone')) } });
    await settled();
    expect(short.result()).toEqual({ ok: false, reason: 'source-short' });
    expect(failing.result()).toEqual({ ok: false, reason: 'source-failed' });
    expect(failing.faults.map(({ cause }) => (cause as Error).message)).toEqual(['gone']);
  });

  it('gives up a terminal that wants packages again and again', async () => {
    const scene = sending(2);
    await acknowledgeAll(scene);
    for (let asked = 0; asked < PACKAGE_REPEATS_LIMIT.max; asked++) {
      expect(scene.sender.resend({ firstSerial: 0, numbers: [1] })).toBe(true);
      await settled();
      scene.acknowledge(0);
      scene.takeSent();
    }
    expect(scene.limits).toEqual([]);
    scene.sender.resend({ firstSerial: 0, numbers: [1] });
    await settled();
    expect(scene.result()).toEqual({ ok: false, reason: 'too-many-repeats' });
    expect(scene.limits).toEqual([PACKAGE_REPEATS_LIMIT.name]);
  });
});
