// One channel relayed to all who come through the product's hub, and the clock of its frames.
import { Hub } from '../../../server/media/hub.ts';
import { createHubPacket, type HubPacket } from '../../../server/media/hubPacket.ts';
import { LoadMeter } from '../../../server/stream/live/loadMeter.ts';
import { createStreamServer } from '../../../server/stream/streamServer.ts';
import { Codec, PacketKind } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { NO_CONTROLS } from '../../support/fakes/noControls.ts';
import { serveEndpoints } from '../../support/gateway/serveEndpoints.ts';
import { FRAME_BYTES, FRAME_MS, GROUP_FRAMES } from './messages.ts';

const KEY = { deviceId: 'BENCH', channel: 1, quality: 'main' } as const;
const payload = new Uint8Array(FRAME_BYTES).fill(1);

/** Frames on the clock, each with the moment that it was due at in its device time. */
export function sendFrames(send: (frame: number) => void): void {
  let frame = Math.ceil(Date.now() / FRAME_MS);
  const sendDue = (): void => {
    for (; frame * FRAME_MS <= Date.now(); frame++) send(frame);
    setTimeout(sendDue, frame * FRAME_MS - Date.now());
  };
  sendDue();
}

export function packetOf(number: number) {
  const header = { kind: PacketKind.Video, codec: Codec.H264, key: number % GROUP_FRAMES === 0, discontinuity: false };
  const times = { mediaTimeUs: mediaUs(number * FRAME_MS * 1000), deviceTimeMs: wallMs(number * FRAME_MS) };
  return createHubPacket({ ...header, ...times }, payload);
}

export interface Relay {
  readonly port: number;
  /** Sends the picture of this number to all. */
  readonly send: (number: number) => void;
}

export interface HubRelay extends Relay {
  readonly publish: (packet: HubPacket) => void;
}

export async function relayThroughHub(): Promise<HubRelay> {
  const runAfter = (delayMs: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  };
  const hub = new Hub({ source: { start: () => undefined, stop: () => undefined }, runAfter });
  const onFault = (error: Error): never => {
    throw error;
  };
  const meter = new LoadMeter(onFault);
  const streams = createStreamServer({
    ...NO_CONTROLS,
    isBusy: () => meter.isBusy,
    hub,
    mayWatch: async () => ({ ok: true }),
    runAfter,
    onFault,
  });
  let viewers = 0;
  // Thousands from one address are more than a gateway takes.
  const { port } = await serveEndpoints(streams.endpoints, { clientAddress: () => `viewer ${viewers++}` });
  const publish = (packet: HubPacket): void => hub.publish(KEY, packet);
  return { port, publish, send: (number) => publish(packetOf(number)) };
}
