import { beforeEach, describe, expect, it } from 'vitest';
import type { MediaFrame } from '../../../../server/device/jt1078/codec/assembler.ts';
import { DataType } from '../../../../server/device/jt1078/codec/packet.ts';
import { PayloadType } from '../../../../server/device/jt1078/codec/payloadTypes.ts';
import { MediaExpectations, MediaPort, type MediaSink } from '../../../../server/device/jt1078/mediaExpectations.ts';
import { LiveSource } from '../../../../server/device/liveSource.ts';
import { DeviceRegistry } from '../../../../server/device/registry.ts';
import type { CommandResult, TerminalSession } from '../../../../server/device/terminalSession.ts';
import { NO_PLANS } from '../../../../server/device/usage/planGate.ts';
import type { ChannelOutput } from '../../../../server/media/hub.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { packetOf } from '../media/packets.ts';

const KEY = { deviceId: 'BUS1', channel: 2, quality: 'main' } as const;
const MEDIA_KEY = { port: MediaPort.Main, terminal: '13800000001', channel: 2 };
const ADDRESS = '10.0.0.7';

/** A terminal whose answers the test gives by hand. */
class FakeTerminal implements TerminalSession {
  readonly deviceId = 'BUS1';
  readonly incarnation = 1;
  readonly archiveNumber = 1;
  readonly terminal = MEDIA_KEY.terminal;
  readonly edition = '2019';
  readonly remoteAddress = ADDRESS;
  readonly localAddress = '192.0.2.1';
  readonly relaxedMediaAddress = false;
  readonly channelsFromZero = false;
  readonly requests: string[] = [];
  answer: (result: CommandResult) => void = () => undefined;

  startLive(order: { channel: number; quality: string }, to: { host: string; port: number }): Promise<CommandResult> {
    this.requests.push(`start ${order.channel} ${order.quality} ${to.host}:${to.port}`);
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }

  async stopLive(order: { channel: number }): Promise<CommandResult> {
    this.requests.push(`stop ${order.channel}`);
    return { ok: true };
  }

  startTalk(channel: number): Promise<CommandResult> {
    this.requests.push(`talk ${channel}`);
    return Promise.resolve({ ok: true });
  }

  stopTalk(channel: number): Promise<CommandResult> {
    this.requests.push(`stop talk ${channel}`);
    return Promise.resolve({ ok: true });
  }

  ptz(): Promise<CommandResult> {
    return Promise.resolve({ ok: true });
  }

  startPlayback(): Promise<{ ok: false; reason: 'timeout' }> {
    return Promise.resolve({ ok: false, reason: 'timeout' });
  }

  controlPlayback(): Promise<CommandResult> {
    return Promise.resolve({ ok: true });
  }

  command(): Promise<CommandResult> {
    return Promise.resolve({ ok: true });
  }

  query(): Promise<{ ok: false; reason: 'timeout' }> {
    return Promise.resolve({ ok: false, reason: 'timeout' });
  }

  sendPackages(): Promise<{ ok: false; reason: 'timeout' }> {
    return Promise.resolve({ ok: false, reason: 'timeout' });
  }

  async isAlive(): Promise<boolean> {
    return true;
  }
  setIdleTimeout(): void {}

  close(): void {
    this.requests.push('closed');
  }
}

const frameOf = (media: MediaFrame['media']): MediaFrame => ({
  kind: 'frame',
  channel: 2,
  media,
  dataType: media === 'video' ? DataType.P : DataType.Audio,
  payloadType: PayloadType.H264,
  timestampMs: 0,
  bytes: Uint8Array.of(0),
  lost: false,
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('LiveSource', () => {
  let timers: ManualTimers;
  let registry: DeviceRegistry;
  let expectations: MediaExpectations;
  let heard: string[];
  let source: LiveSource;
  let terminal: FakeTerminal;

  const output: ChannelOutput = {
    publish: (key) => heard.push(`packet ${key.channel}`),
    interrupt: (key) => heard.push(`interrupt ${key.channel}`),
  };
  beforeEach(() => {
    timers = new ManualTimers();
    registry = new DeviceRegistry(timers.now);
    expectations = new MediaExpectations();
    heard = [];
    terminal = new FakeTerminal();
    source = new LiveSource({
      registry,
      expectations,
      mediaAddress: (port, session) => ({ host: session.localAddress, port: 7078 + port }),
      runAfter: timers.runAfter,
      random: () => 1,
      onFault: noFaults,
      plans: NO_PLANS,
    });
  });

  const dial = (): { sink: MediaSink; closes: number } => {
    const sink = expectations.take(MEDIA_KEY, ADDRESS)?.sink;
    if (sink === undefined) throw new Error('nobody expects the stream');
    const connection = { sink, closes: 0 };
    sink.opened({
      sim: undefined,
      send: () => undefined,
      hold: () => undefined,
      close: () => {
        connection.closes++;
      },
    });
    return connection;
  };

  it('asks a terminal that is online and takes its media from its own address alone', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    expect(terminal.requests).toEqual(['start 2 main 192.0.2.1:7078']);
    terminal.answer({ ok: true });
    await settled();
    expect(expectations.take(MEDIA_KEY, '10.0.0.8')).toBeUndefined();
    dial().sink.packet(packetOf('key'));
    expect(heard).toEqual(['packet 2']);
  });

  it('takes media that arrives before the answer', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    const { sink } = dial();
    terminal.answer({ ok: true });
    await settled();
    sink.packet(packetOf('key'));
    timers.advance(60_000);
    expect(heard).toEqual(['packet 2']);
    expect(terminal.requests).toHaveLength(1);
  });

  it('lets nobody see what the terminal of a deleted device sends on, and asks the one of the next device', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    terminal.answer({ ok: true });
    await settled();
    const connection = dial();
    registry.forget(KEY.deviceId);
    source.forget(KEY.deviceId);
    expect(connection.closes).toBe(1);
    connection.sink.packet(packetOf('key'));
    expect(heard).toEqual(['interrupt 2']);
    timers.advance(60_000);
    const next = new FakeTerminal();
    registry.enter(next);
    expect(next.requests).toEqual(['start 2 main 192.0.2.1:7078']);
  });

  it('asks as soon as the terminal signs in', () => {
    source.start(KEY, output);
    expect(timers.pending).toBe(0);
    registry.enter(terminal);
    expect(terminal.requests).toEqual(['start 2 main 192.0.2.1:7078']);
  });

  it.each<[string, CommandResult]>([
    ['refuses', { ok: false, reason: 'refused', result: 1 }],
    ['does not answer', { ok: false, reason: 'timeout' }],
  ])('asks again, later each time, when the terminal %s', async (_what, result) => {
    registry.enter(terminal);
    source.start(KEY, output);
    for (const [round, delayMs] of [500, 1_000, 2_000].entries()) {
      terminal.answer(result);
      await settled();
      timers.advance(delayMs - 1);
      expect(terminal.requests).toHaveLength(round + 1);
      timers.advance(1);
      expect(terminal.requests).toHaveLength(round + 2);
    }
  });

  it('asks again when the terminal accepts but does not dial within ten seconds', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    terminal.answer({ ok: true });
    await settled();
    timers.advance(10_000);
    expect(expectations.take(MEDIA_KEY, ADDRESS)).toBeUndefined();
    timers.advance(500);
    expect(terminal.requests).toHaveLength(2);
  });

  it('asks again when the media connection breaks off', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    terminal.answer({ ok: true });
    await settled();
    dial().sink.ended('silent');
    expect(heard).toEqual(['interrupt 2']);
    expect(source.status(KEY)).toEqual({ state: 'backing-off', failure: 'silent' });
    timers.advance(500);
    expect(terminal.requests).toHaveLength(2);
  });

  describe('with pictures and no key frame', () => {
    const startReceiving = async (): Promise<ReturnType<typeof dial>> => {
      registry.enter(terminal);
      source.start(KEY, output);
      terminal.answer({ ok: true });
      await settled();
      return dial();
    };
    const picture = ({ sink }: ReturnType<typeof dial>, kind?: 'key' | 'delta'): void => {
      sink.frame?.(frameOf('video'));
      if (kind !== undefined) sink.packet(packetOf(kind));
    };

    it('asks for the stream anew after ten seconds', async () => {
      const connection = await startReceiving();
      picture(connection);
      timers.advance(9_999);
      picture(connection);
      expect(connection.closes).toBe(0);
      timers.advance(1);
      expect(connection.closes).toBe(1);
      expect(source.status(KEY)).toEqual({ state: 'backing-off', failure: 'no-key' });
      timers.advance(500);
      expect(terminal.requests).toHaveLength(2);
    });

    it('lets a stream alone in which nobody waits for one', async () => {
      const connection = await startReceiving();
      picture(connection, 'key');
      for (let second = 0; second < 60; second++) {
        picture(connection, 'delta');
        timers.advance(1_000);
      }
      expect(connection.closes).toBe(0);
    });

    it.each<[string, (sink: MediaSink) => void]>([
      ['a viewer came to', () => source.keyAwaited(KEY)],
      ['lost a group in', (sink) => sink.lost?.('group', 1)],
    ])('asks anew where somebody %s a stream whose key frame is long past', async (_what, makeWait) => {
      const connection = await startReceiving();
      picture(connection, 'key');
      makeWait(connection.sink);
      timers.advance(60_000);
      picture(connection, 'delta');
      timers.advance(9_999);
      expect(connection.closes).toBe(0);
      timers.advance(1);
      expect(connection.closes).toBe(1);
    });

    it('goes on where one comes in time', async () => {
      const connection = await startReceiving();
      picture(connection, 'key');
      source.keyAwaited(KEY);
      picture(connection, 'delta');
      timers.advance(9_000);
      picture(connection, 'key');
      timers.advance(60_000);
      picture(connection, 'delta');
      timers.advance(60_000);
      expect(connection.closes).toBe(0);
    });

    it('lets sound alone', async () => {
      const connection = await startReceiving();
      connection.sink.frame?.(frameOf('audio'));
      timers.advance(60_000);
      expect(connection.closes).toBe(0);
    });

    it('forgets the wait when the stream ends', async () => {
      const connection = await startReceiving();
      picture(connection);
      source.stop(KEY);
      expect(timers.pending).toBe(0);
    });
  });

  it('tells the terminal to stop and closes its media connection when nobody watches any more', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    terminal.answer({ ok: true });
    await settled();
    const connection = dial();
    source.stop(KEY);
    expect(connection.closes).toBe(1);
    expect(terminal.requests).toEqual(['start 2 main 192.0.2.1:7078', 'stop 2']);
    expect(timers.pending).toBe(0);
    connection.sink.packet(packetOf('key'));
    expect(heard).not.toContain('packet 2');
  });

  it('leaves the other stream of the channel alone when one of the two is no longer watched', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    terminal.answer({ ok: true });
    await settled();
    const connection = dial();
    source.start({ ...KEY, quality: 'sub' }, output);
    source.stop(KEY);
    expect(connection.closes).toBe(1);
    expect(terminal.requests.slice(1)).toEqual(['start 2 sub 192.0.2.1:7079']);
    source.stop({ ...KEY, quality: 'sub' });
    expect(terminal.requests.slice(2)).toEqual(['stop 2']);
  });

  it('says why there is no picture, until there is one', async () => {
    expect(source.status(KEY)).toBeUndefined();
    source.start(KEY, output);
    expect(source.status(KEY)).toEqual({ state: 'offline', failure: undefined });
    registry.enter(terminal);
    terminal.answer({ ok: false, reason: 'refused', result: 1 });
    await settled();
    expect(source.status(KEY)).toEqual({ state: 'backing-off', failure: 'refused' });
    timers.advance(500);
    terminal.answer({ ok: true });
    await settled();
    timers.advance(10_000);
    expect(source.status(KEY)?.failure).toBe('no-dial');
    timers.advance(1_000);
    dial().sink.packet(packetOf('key'));
    expect(source.status(KEY)).toEqual({ state: 'receiving', failure: undefined });
  });

  it('leaves neither timer nor door open when it closes while dialling', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    terminal.answer({ ok: true });
    await settled();
    source.close();
    expect(timers.pending).toBe(0);
    expect(expectations.take(MEDIA_KEY, ADDRESS)).toBeUndefined();
  });

  it('starts over with the new session when the terminal signs in again', async () => {
    registry.enter(terminal);
    source.start(KEY, output);
    terminal.answer({ ok: true });
    await settled();
    const connection = dial();
    const again = new FakeTerminal();
    registry.enter(again);
    expect(connection.closes).toBe(1);
    expect(terminal.requests.at(-1)).toBe('closed');
    expect(again.requests).toEqual(['start 2 main 192.0.2.1:7078']);
  });
});

describe('DeviceRegistry', () => {
  it('is not emptied by the end of a session that was replaced', () => {
    const registry = new DeviceRegistry(() => 5);
    const [old, fresh] = [new FakeTerminal(), new FakeTerminal()];
    registry.enter(old);
    registry.enter(fresh);
    registry.leave(old);
    expect(registry.session('BUS1')).toBe(fresh);
    registry.leave(fresh);
    expect(registry.session('BUS1')).toBeUndefined();
  });
});
