import { describe, expect, test } from 'vitest';
import { ANSWER_MS, LiveLine, type LiveSocket, liveRetryMs, SILENCE_MS } from '../../../../shared/live/liveLine.ts';
import type { ReadLiveUpdate } from '../../../../shared/live/readMessage.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

// States of a WebSocket, which Node 20 doesn't have.
const OPEN = 1;
const CLOSING = 2;

class FakeSocket implements LiveSocket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly sent: unknown[] = [];
  readyState = OPEN;
  isClosed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.isClosed = true;
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function setUp(sid?: string) {
  const timers = new ManualTimers();
  const sockets: FakeSocket[] = [];
  let refusals = 0;
  const line = new LiveLine({
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    greeting: () => (sid === undefined ? undefined : { type: 'session', sid }),
    runAfter: timers.runAfter,
    now: timers.now,
    random: () => 1,
    onRefused: () => void refusals++,
  });
  const last = () => sockets.at(-1) as FakeSocket;
  return { timers, sockets, line, last, refusals: () => refusals };
}

const SNAPSHOT = { type: 'snapshot', devices: [{ id: 'a' }] };
const watch = (...topics: string[]) => ({ type: 'watch', topics });
const typesOf = (messages: readonly ReadLiveUpdate[]) => messages.map(({ type }) => type);

describe('the line of live updates', () => {
  test('opens with the first listener, says what it wants, and closes with the last', () => {
    const { line, sockets, last } = setUp();
    expect(sockets).toHaveLength(0);
    const heard: ReadLiveUpdate[] = [];
    const stop = line.listen(['devices', 'counts'], (message) => heard.push(message));
    expect(line.state()).toEqual({ kind: 'connecting' });
    last().onopen?.();
    expect(last().sent).toEqual([watch('counts', 'devices')]);
    expect(line.state().kind).toBe('connecting');
    last().tell(SNAPSHOT);
    expect(line.state().kind).toBe('live');
    last().tell({ type: 'changes', devices: [] });
    last().tell({ type: 'changed', records: ['device'] });
    expect(typesOf(heard)).toEqual(['snapshot', 'changes']);
    stop();
    expect(last().isClosed).toBe(true);
    expect(line.state()).toEqual({ kind: 'idle' });
  });

  test('tells the page’s frame token first, on every connection', () => {
    const { timers, line, last, sockets } = setUp('Ab_9');
    line.listen(['changed'], () => undefined);
    last().onopen?.();
    last().onclose?.();
    timers.advance(1_000);
    last().onopen?.();
    expect(sockets.map(({ sent }) => sent)).toEqual([
      [{ type: 'session', sid: 'Ab_9' }, watch('changed')],
      [{ type: 'session', sid: 'Ab_9' }, watch('changed')],
    ]);
  });

  test('says nothing to a socket that is closing, and opens another once it has closed', () => {
    const { timers, line, last, sockets } = setUp();
    line.listen(['devices'], () => undefined);
    last().onopen?.();
    last().readyState = CLOSING;
    line.retryNow();
    line.listen(['counts'], () => undefined);
    expect(last().sent).toEqual([watch('devices')]);
    last().onclose?.();
    timers.advance(1_000);
    last().onopen?.();
    expect(sockets.map(({ sent }) => sent)).toEqual([[watch('devices')], [watch('counts', 'devices')]]);
  });

  test('is live without a snapshot where nobody waits for one', () => {
    const { line, last } = setUp();
    line.listen(['changed'], () => undefined);
    last().onopen?.();
    expect(line.state().kind).toBe('live');
  });

  test('asks again for a listener that comes later, which has missed the snapshot', () => {
    const { line, sockets, last } = setUp();
    line.listen(['changed'], () => undefined);
    last().onopen?.();
    const heard: ReadLiveUpdate[] = [];
    const stop = line.listen(['devices'], (message) => heard.push(message));
    expect(sockets).toHaveLength(1);
    expect(last().sent).toEqual([watch('changed'), watch('changed', 'devices')]);
    last().tell(SNAPSHOT);
    expect(typesOf(heard)).toEqual(['snapshot']);
    stop();
    expect(last().sent).toHaveLength(2);
  });

  test('tells a listener nothing after it has gone, and ignores what it cannot read', () => {
    const { line, last } = setUp();
    const heard: ReadLiveUpdate[] = [];
    line.listen(['counts'], () => undefined);
    const stop = line.listen(['devices'], (message) => heard.push(message));
    last().onopen?.();
    stop();
    last().onmessage?.({ data: 'not json' });
    last().onmessage?.({ data: new ArrayBuffer(4) });
    last().tell({ type: 'later', x: 1 });
    last().tell(SNAPSHOT);
    expect(heard).toEqual([]);
  });
});

describe('after a break', () => {
  test('tries again, later and later, until a snapshot comes; the whole series is one break', () => {
    const { line, sockets, last, timers, refusals } = setUp();
    const heard: ReadLiveUpdate[] = [];
    line.listen(['devices'], (message) => heard.push(message));
    last().onopen?.();
    last().tell(SNAPSHOT);
    timers.advance(7_000);
    last().onclose?.();
    expect(line.state()).toEqual({ kind: 'broken', sinceMs: 7_000 });
    for (const [at, waitMs] of [500, 1_000, 2_000, 4_000].entries()) {
      timers.advance(waitMs - 1);
      expect(sockets).toHaveLength(1 + at);
      timers.advance(1);
      expect(sockets).toHaveLength(2 + at);
      expect(line.state()).toEqual({ kind: 'broken', sinceMs: 7_000 });
      if (at < 3) last().onclose?.();
    }
    // Three tries were not even taken; the first break was of a line that stood.
    expect(refusals()).toBe(3);
    last().onopen?.();
    last().tell(SNAPSHOT);
    expect(line.state().kind).toBe('live');
    expect(typesOf(heard)).toEqual(['snapshot', 'snapshot']);
    last().onclose?.();
    timers.advance(500);
    expect(sockets).toHaveLength(6);
  });

  test('tries at once when asked to, and once', () => {
    const { line, sockets, last, timers } = setUp();
    line.listen(['devices'], () => undefined);
    line.retryNow();
    expect(sockets).toHaveLength(1);
    last().onclose?.();
    line.retryNow();
    line.retryNow();
    expect(sockets).toHaveLength(2);
    timers.advance(60_000);
    expect(sockets).toHaveLength(2);
  });

  test('makes no try for nobody', () => {
    const { line, sockets, last, timers } = setUp();
    const stop = line.listen(['devices'], () => undefined);
    last().onclose?.();
    stop();
    line.retryNow();
    timers.advance(60_000);
    expect(sockets).toHaveLength(1);
    expect(timers.pending).toBe(0);
  });

  test('asks after a silence whether the line still stands, and takes no answer for a break', () => {
    const { line, sockets, last, timers } = setUp();
    line.listen(['devices'], () => undefined);
    last().onopen?.();
    last().tell(SNAPSHOT);
    timers.advance(SILENCE_MS - 1);
    last().tell({ type: 'changes' });
    timers.advance(SILENCE_MS - 1);
    expect(last().sent).toHaveLength(1);
    timers.advance(1);
    expect(last().sent).toHaveLength(2);
    last().tell(SNAPSHOT);
    timers.advance(ANSWER_MS);
    expect(line.state().kind).toBe('live');
    timers.advance(SILENCE_MS - ANSWER_MS);
    expect(last().sent).toHaveLength(3);
    timers.advance(ANSWER_MS - 1);
    expect(line.state().kind).toBe('live');
    timers.advance(1);
    expect(line.state().kind).toBe('broken');
    timers.advance(500);
    expect(sockets).toHaveLength(2);
    expect(sockets[0]?.isClosed).toBe(true);
  });

  test('takes a line that was opened and never says anything for a break too', () => {
    const { line, last, timers } = setUp();
    line.listen(['devices'], () => undefined);
    last().onopen?.();
    timers.advance(SILENCE_MS);
    expect(last().sent).toHaveLength(2);
    timers.advance(ANSWER_MS);
    expect(line.state().kind).toBe('broken');
  });

  test('asks at once when the network is back, without a new line where one stands', () => {
    const { line, sockets, last, timers } = setUp();
    line.listen(['devices'], () => undefined);
    last().onopen?.();
    last().tell(SNAPSHOT);
    line.retryNow();
    expect(last().sent).toHaveLength(2);
    timers.advance(ANSWER_MS);
    expect(line.state().kind).toBe('broken');
    timers.advance(500);
    expect(sockets).toHaveLength(2);
  });

  test('hears why the gateway ends the line', () => {
    const { line, last, refusals } = setUp();
    line.listen(['devices'], () => undefined);
    last().onopen?.();
    last().tell({ type: 'error', code: 'not-signed-in', message: 'You are not signed in.' });
    expect(refusals()).toBe(1);
    last().onclose?.();
    expect(line.state().kind).toBe('broken');
    expect(refusals()).toBe(1);
  });
});

test('waits double with each failure, at most 15 s, and up to half less by chance', () => {
  expect([1, 2, 3, 6, 40].map((failures) => liveRetryMs(failures, 1))).toEqual([500, 1_000, 2_000, 15_000, 15_000]);
  expect(liveRetryMs(40, 0)).toBe(7_500);
});
