import { describe, expect, it } from 'vitest';
import { GeneralResult, MessageId } from '../../../../../server/device/jt808/codec/codes.ts';
import type { Message } from '../../../../../server/device/jt808/codec/message.ts';
import { PackageBytes } from '../../../../../server/device/jt808/inbox.ts';
import { KEPT_MS } from '../../../../../server/device/jt808/packages/keptPackages.ts';
import type { LongMessage } from '../../../../../server/device/jt808/packages/longMessage.ts';
import { SETTLING_MS } from '../../../../../server/device/jt808/packages/packageSender.ts';
import { SignallingSession } from '../../../../../server/device/jt808/signallingSession.ts';
import { WaitingBytes } from '../../../../../server/device/jt808/waitingBytes.ts';
import type { TerminalSession } from '../../../../../server/device/terminalSession.ts';
import { aSignedInDevice } from '../../../../support/aDevice.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../../support/fakes/noFaults.ts';
import { AUTHENTICATION, FakeTerminal, settled } from './fakeTerminal.ts';
import { bytesOf, sourceOf } from './packages/packageScene.ts';

async function openScene() {
  const timers = new ManualTimers();
  const terminal = new FakeTerminal();
  const limits: string[] = [];
  const sessions: TerminalSession[] = [];
  const onLimit = ({ name }: { readonly name: string }): void => void limits.push(name);
  new SignallingSession(terminal.socket.asSocket(), {
    authenticator: {
      register: async () => undefined,
      authenticate: async () => aSignedInDevice(),
    },
    now: timers.now,
    runAfter: timers.runAfter,
    acknowledgedIds: new Set(),
    waiting: new WaitingBytes(onLimit),
    packageBytes: new PackageBytes(),
    onReport: () => true,
    onSignedIn: (session) => void sessions.push(session),
    onEnded: () => undefined,
    onFault: noFaults,
    onLimit,
  });
  await terminal.say(AUTHENTICATION);
  terminal.heard();
  const [session] = sessions;
  if (session === undefined) throw new Error('not signed in');
  const reply = ({ header }: Message, result: number = GeneralResult.Ok): Promise<number> =>
    terminal.say({ kind: 'terminalGeneralReply', replySerial: header.serial, replyId: header.messageId, result });
  return { timers, terminal, session, limits, reply };
}

function longMessage(packages: number, window = 8): LongMessage {
  const source = sourceOf(bytesOf(packages * 1_023));
  return { messageId: MessageId.upgradePackage, source, window, signal: new AbortController().signal };
}

const partsOf = (messages: readonly Message[]) => messages.flatMap(({ header }) => header.part?.number ?? []);

describe('a long message to a terminal', () => {
  it('leaves room for commands, whose serials are behind its own', async () => {
    const { terminal, session, reply, timers } = await openScene();
    const sent = session.sendPackages(longMessage(3, 1));
    await settled();
    const [first] = terminal.heard();
    if (first === undefined) throw new Error('nothing went out');
    const command = session.command({ kind: 'linkCheck' });
    const [check] = terminal.heard();
    if (check === undefined) throw new Error('no command went out');
    expect(check.header.serial).toBe(first.header.serial + 3);
    await reply(check);
    expect(await command).toEqual({ ok: true });
    await reply(first);
    const [second] = terminal.heard();
    expect(second?.header).toMatchObject({ serial: first.header.serial + 1, part: { number: 2, total: 3 } });
    if (second !== undefined) await reply(second);
    for (const third of terminal.heard()) await reply(third);
    timers.advance(SETTLING_MS);
    expect(await sent).toEqual({ ok: true });
  });

  it('is acknowledged as fast as the terminal can', async () => {
    const { terminal, session, reply, limits, timers } = await openScene();
    const sent = session.sendPackages(longMessage(2_100));
    await settled();
    for (let heard = terminal.heard(); heard.length > 0; heard = terminal.heard()) {
      for (const message of heard) await reply(message);
    }
    timers.advance(SETTLING_MS);
    expect(await sent).toEqual({ ok: true });
    expect(limits).toEqual([]);
  });

  it('is sent again in part when the terminal asks, and a stranger is told that it is not there', async () => {
    const { terminal, session, reply } = await openScene();
    void session.sendPackages(longMessage(4));
    await settled();
    const heard = terminal.heard();
    const firstSerial = heard[0]?.header.serial ?? 0;
    for (const message of heard) await reply(message);
    await terminal.say({ kind: 'terminalResendRequest', firstSerial, numbers: [2, 4, 0, 4_464] });
    expect(partsOf(terminal.heard())).toEqual([2, 4]);
    await terminal.say({ kind: 'terminalResendRequest', firstSerial: firstSerial + 1, numbers: [1] });
    expect(terminal.heardBodies()).toMatchObject([{ kind: 'platformGeneralReply', result: GeneralResult.Failed }]);
  });

  it.each([3_001, 10_000, 60_000, 14 * 60_000])(
    'is sent again in part to a terminal that asks %i ms after its last acknowledgement',
    async (afterMs) => {
      const { timers, terminal, session, reply } = await openScene();
      session.setIdleTimeout(60 * 60_000);
      const sent = session.sendPackages(longMessage(4));
      await settled();
      const heard = terminal.heard();
      const firstSerial = heard[0]?.header.serial ?? 0;
      for (const message of heard) await reply(message);
      timers.advance(afterMs);
      expect(await sent).toEqual({ ok: true });
      await terminal.say({ kind: 'terminalResendRequest', firstSerial, numbers: [2, 4, 0, 5, 2] });
      await settled();
      const again = terminal.heard();
      expect(partsOf(again)).toEqual([2, 4]);
      expect(again.map(({ header }) => header.serial)).toEqual([firstSerial + 1, firstSerial + 3]);
      for (const message of again) await reply(message);
      // Once more within the same time, from the request on.
      timers.advance(afterMs);
      await terminal.say({ kind: 'terminalResendRequest', firstSerial, numbers: [1] });
      await settled();
      expect(partsOf(terminal.heard())).toEqual([1]);
    },
  );

  it('is no longer there for a terminal that asks after the time in which it has to report the new version', async () => {
    const { timers, terminal, session, reply } = await openScene();
    session.setIdleTimeout(60 * 60_000);
    void session.sendPackages(longMessage(2));
    await settled();
    const heard = terminal.heard();
    for (const message of heard) await reply(message);
    timers.advance(SETTLING_MS + 1);
    await settled();
    timers.advance(KEPT_MS);
    await terminal.say({ kind: 'terminalResendRequest', firstSerial: heard[0]?.header.serial ?? 0, numbers: [1] });
    expect(terminal.heardBodies()).toMatchObject([{ kind: 'platformGeneralReply', result: GeneralResult.Failed }]);
  });

  it('is still asked for after another was sent to its end, and gives way to a later one', async () => {
    const { timers, terminal, session, reply } = await openScene();
    session.setIdleTimeout(60 * 60_000);
    const firstSerials: number[] = [];
    for (let round = 0; round < 2; round++) {
      const sent = session.sendPackages(longMessage(2));
      await settled();
      const heard = terminal.heard();
      firstSerials.push(heard[0]?.header.serial ?? 0);
      for (const message of heard) await reply(message);
      timers.advance(SETTLING_MS);
      expect(await sent).toEqual({ ok: true });
    }
    for (const firstSerial of firstSerials) {
      await terminal.say({ kind: 'terminalResendRequest', firstSerial, numbers: [2] });
      await settled();
    }
    expect(terminal.heardBodies()).toMatchObject([
      { kind: 'platformGeneralReply', result: GeneralResult.Failed },
      { kind: 'part', part: { number: 2 } },
    ]);
  });

  it('is the only one, not longer than packages can be counted, and ends with the connection', async () => {
    const { terminal, session } = await openScene();
    const sent = session.sendPackages(longMessage(3));
    expect(await session.sendPackages(longMessage(1))).toEqual({ ok: false, reason: 'busy' });
    terminal.socket.destroy();
    expect(await sent).toEqual({ ok: false, reason: 'closed' });
    const source = { bytes: 65_535 * 1_023 + 1, read: () => Promise.reject(new Error('read')) };
    expect(await session.sendPackages({ ...longMessage(1), source })).toEqual({ ok: false, reason: 'too-long' });
    expect(await session.sendPackages(longMessage(1))).toEqual({ ok: false, reason: 'closed' });
  });

  it('does not begin for somebody who has gone', async () => {
    const { terminal, session } = await openScene();
    const signal = AbortSignal.abort();
    expect(await session.sendPackages({ ...longMessage(1), signal })).toEqual({ ok: false, reason: 'aborted' });
    expect(terminal.heard()).toEqual([]);
  });
});
