// One process that takes media of terminals on two ports, counted and not, and relays each side's first channel to all viewers.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalTerminal } from '../../../server/device/jt808/codec/header.ts';
import { MediaExpectations, MediaPort } from '../../../server/device/jt1078/mediaExpectations.ts';
import { MediaSession } from '../../../server/device/jt1078/mediaSession.ts';
import { SocketUses } from '../../../server/device/usage/socketUse.ts';
import { createRunAfter } from '../../../server/faults/timers.ts';
import { TrafficCounter } from '../../../server/netflow/counting/trafficCounter.ts';
import { relayThroughHub } from '../relay/hubRelay.ts';
import {
  CHANNELS,
  type RelayReady,
  type RelayReport,
  SIDES,
  type Side,
  type ToRelay,
  terminalNumber,
} from './messages.ts';

/** Interval at which the gateway takes what was counted. */
const TAKE_INTERVAL_MS = 1_000;
const POLL_MS = 5;

const onFault = (error: Error): never => {
  throw error;
};
const runAfter = createRunAfter(onFault);
const expectations = new MediaExpectations();
const counter = new TrafficCounter(() => onFault(new Error('the counter is full')));
const uses = new SocketUses({
  meter: counter,
  runAfter: (delayMs, run) => runAfter(delayMs, () => timed(run)),
});
const relay = await relayThroughHub();
const sockets: Readonly<Record<Side, Set<Socket>>> = { counted: new Set(), uncounted: new Set() };
const usesOf: Readonly<Record<Side, SocketUses | undefined>> = { counted: uses, uncounted: undefined };
let packets = 0;
let countedBytes = 0;
let countingMs = 0;
let begun = { cpu: process.cpuUsage(), bytes: bytesRead() };

setInterval(() => timed(takeCounted), TAKE_INTERVAL_MS);
for (const side of SIDES) for (let at = 0; at < CHANNELS; at++) expectChannel(side, at);
const ports = { counted: await listen('counted'), uncounted: await listen('uncounted') };
process.send?.({ type: 'ready', viewersPort: relay.port, ports } satisfies RelayReady);
process.on('message', (order: ToRelay) => {
  if (order.type === 'begin') begin();
  else end(order.side, order.bytes).then((report) => process.send?.(report), onFault);
});
process.on('disconnect', () => process.exit());

async function listen(side: Side): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    // Each turn compares whole sides.
    socket.on('close', () => onFault(new Error('a terminal is gone')));
    sockets[side].add(socket);
    new MediaSession(socket, MediaPort.Main, { expectations, now: Date.now, runAfter, uses: usesOf[side] });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function begin(): void {
  takeCounted();
  packets = 0;
  countedBytes = 0;
  countingMs = 0;
  begun = { cpu: process.cpuUsage(), bytes: bytesRead() };
}

async function end(side: Side, bytes: number): Promise<RelayReport> {
  while (bytesRead()[side] - begun.bytes[side] < bytes) await delay(POLL_MS);
  // The bytes of the turn are reported to the meter within the turn.
  timed(() => {
    usesOf[side]?.settle();
    takeCounted();
  });
  const { user, system } = process.cpuUsage(begun.cpu);
  return {
    type: 'report',
    cpuSeconds: (user + system) / 1e6,
    packets,
    countedBytes,
    countingSeconds: countingMs / 1_000,
  };
}

function bytesRead(): Record<Side, number> {
  const sum = (side: Side): number => [...sockets[side]].reduce((all, socket) => all + socket.bytesRead, 0);
  return { counted: sum('counted'), uncounted: sum('uncounted') };
}

function expectChannel(side: Side, at: number): void {
  expectations.expect({
    port: MediaPort.Main,
    terminal: canonicalTerminal(terminalNumber(side, at)),
    channel: 1,
    remoteAddress: undefined,
    use: { incarnation: at + 1, kind: () => (at === 0 ? 'live' : 'recording') },
    sink: {
      opened: () => undefined,
      packet: (packet) => {
        packets++;
        if (at === 0) relay.publish(packet);
      },
      ended: () => undefined,
    },
  });
}

/** Counting costs nothing at each chunk: the timers and the end of a turn do all of its work. */
function timed(run: () => void): void {
  const startedMs = performance.now();
  run();
  countingMs += performance.now() - startedMs;
}

function takeCounted(): void {
  for (const { received } of counter.take()) for (const bytes of received) countedBytes += bytes;
}
