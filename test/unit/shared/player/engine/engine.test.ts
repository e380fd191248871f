import { describe, expect, it, vi } from 'vitest';
import { PlayerEngine, type StreamReport } from '../../../../../shared/player/engine/engine.ts';
import { FakeWorker } from './fakeWorkers.ts';

function setUp() {
  const stream = new FakeWorker();
  const video = new FakeWorker();
  const engine = new PlayerEngine({ stream, video });
  const open = (channel = 1) => {
    const reports: StreamReport[] = [];
    const handle = engine.openStream({
      url: `ws://gateway/${channel}`,
      channel,
      canvas: { channel } as unknown as OffscreenCanvas,
      box: { width: 320, height: 180 },
      onReport: (report) => reports.push(report),
    });
    return { handle, reports };
  };
  const ready = () => {
    stream.say({ type: 'ready' });
    video.say({ type: 'ready', webCodecs: true });
  };
  return { engine, stream, video, open, ready };
}

describe('PlayerEngine', () => {
  it('transfers nothing to a worker that has not said that it runs', () => {
    const { open, stream, video, ready } = setUp();
    open();
    expect([...stream.posted, ...video.posted]).toEqual([]);
    ready();
    expect([stream.types, video.types]).toEqual([['open'], ['attach']]);
  });

  it("gives both workers an end of the stream's own port, and the canvas to one", () => {
    const { open, stream, video, ready } = setUp();
    ready();
    open();
    expect(stream.transferred[0]).toHaveLength(1);
    expect(stream.transferred[0]?.[0]).toBeInstanceOf(MessagePort);
    expect(video.transferred[0]).toHaveLength(2);
  });

  it('brings each report to its own stream', () => {
    const { open, ready, stream, video } = setUp();
    ready();
    const [first, second] = [open(1), open(2)];
    stream.say({ type: 'activity', streams: [{ streamId: 2, packets: 1, bytes: 1, newestAgeMs: 7 }] });
    video.say({ type: 'progress', streams: [{ streamId: 1, decoded: 1, shown: 1, newestAgeMs: 3 }] });
    stream.say({ type: 'closed', streamId: 1, connection: 1, code: 1006 });
    expect(first.reports).toEqual([
      { type: 'shown', ageMs: 3 },
      { type: 'closed', code: 1006 },
    ]);
    expect(second.reports).toEqual([{ type: 'data', ageMs: 7 }]);
  });

  it('reports nothing of a connection that was left, however late word of it comes', () => {
    const { open, ready, stream } = setUp();
    ready();
    const { handle, reports } = open();
    const clock = { type: 'clock', positionMs: 7, speed: 1, paused: false } as const;
    const lost = { type: 'error', code: 'not-playing', message: '' } as const;
    handle.reconnect();
    expect(stream.posted.at(-1)).toMatchObject({ type: 'reconnect', streamId: 1, connection: 2 });
    for (const event of [clock, lost]) stream.say({ type: 'event', streamId: 1, connection: 1, event });
    stream.say({ type: 'closed', streamId: 1, connection: 1, code: 1006 });
    expect(reports).toEqual([]);
    stream.say({ type: 'opened', streamId: 1, connection: 2 });
    stream.say({ type: 'event', streamId: 1, connection: 2, event: clock });
    expect(reports).toEqual([{ type: 'opened' }, { type: 'event', event: clock }]);
  });

  it('ends a stream in both workers once, and reports nothing more of it', () => {
    const { open, ready, stream, video } = setUp();
    ready();
    const { handle, reports } = open();
    handle.close();
    handle.close();
    stream.say({ type: 'opened', streamId: 1, connection: 1 });
    expect([stream.types, video.types]).toEqual([
      ['open', 'close'],
      ['attach', 'detach'],
    ]);
    expect(reports).toEqual([]);
  });

  it.each([
    ['an exception in a worker', (stream: FakeWorker) => stream.onerror?.({ message: 'boom' } as ErrorEvent)],
    ['a worker without decoders', (_: FakeWorker, video: FakeWorker) => video.say({ type: 'ready', webCodecs: false })],
  ])('tells every stream of %s', (_what, happen) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { open, stream, video } = setUp();
    const streams = [open(1), open(2)];
    happen(stream, video);
    expect(streams.map(({ reports }) => reports.map((report) => report.type))).toEqual([['broken'], ['broken']]);
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  it('tells a stream that is opened after the workers have failed', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { open, stream } = setUp();
    stream.onerror?.({ message: 'boom' } as ErrorEvent);
    const { reports } = open();
    expect(reports).toEqual([]);
    await Promise.resolve();
    expect(reports).toEqual([{ type: 'broken', message: 'boom' }]);
    warn.mockRestore();
  });

  it('traces pictures with their channel once asked to', () => {
    const { engine, open, ready, video } = setUp();
    ready();
    open(5);
    const traced: unknown[] = [];
    engine.trace((pictures) => traced.push(...pictures));
    const picture = { streamId: 1, mediaTimeUs: 40_000, deviceTimeMs: 1, at: 2.5 };
    video.say({ type: 'trace', pictures: [picture, { ...picture, streamId: 99 }] });
    expect(video.types).toEqual(['attach', 'trace']);
    expect(traced).toEqual([{ ...picture, channel: 5 }]);
  });

  it('ends both workers, and may be closed twice', () => {
    const { engine, stream, video, open } = setUp();
    const { reports, handle } = open();
    engine.close();
    engine.close();
    handle.close();
    expect([stream.isTerminated, video.isTerminated]).toEqual([true, true]);
    expect(stream.onmessage).toBeNull();
    expect(reports).toEqual([]);
  });
});
