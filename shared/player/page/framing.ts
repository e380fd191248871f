// The messages between the page and a page that frames it, of whatever site. The contract is docs/framing.md.
import type { Snapshot, SnapshotFormat } from '../../../workers/video/messages.ts';

/** Version of every message that the page sends, and of those that it answers. */
const FRAMING_VERSION = 1;

interface StreamClosedNotice {
  readonly type: 'fleetglass:stream-closed';
  readonly version: typeof FRAMING_VERSION;
  readonly deviceid: string;
  readonly channel: number;
}

export type FramingRequest =
  | { readonly kind: 'sound'; readonly isOn: boolean; readonly channel: number | undefined; readonly id: unknown }
  | {
      readonly kind: 'snapshot';
      readonly format: SnapshotFormat;
      readonly channel: number | undefined;
      readonly id: unknown;
    };

export interface FramingAnswer {
  readonly type: 'fleetglass:answer';
  readonly version: typeof FRAMING_VERSION;
  /** The id from the request, unchanged. */
  readonly id: unknown;
  readonly ok: boolean;
  readonly error?: 'no-such-channel' | 'no-picture';
  readonly snapshot?: {
    readonly channel: number;
    readonly image: Blob;
    readonly width: number;
    readonly height: number;
    readonly deviceTimeMs: number;
  };
}

/**
 * Tells the framing page that a stream has closed; nothing when there is none. Any site may frame a video page unless the
 * server forbids it, so the notice goes to whatever site that is, and holds nothing that opens a stream.
 */
export function tellStreamClosed(deviceid: string, channel: number, scope: Window = window): void {
  if (scope.parent === scope) return;
  const notice: StreamClosedNotice = { type: 'fleetglass:stream-closed', version: FRAMING_VERSION, deviceid, channel };
  scope.parent.postMessage(notice, '*');
}

/** The request in a message; undefined for anything that is no request, or is of a version or kind that this page does not know. */
export function readFramingRequest(data: unknown): FramingRequest | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, version, id, channel, format } = data as Readonly<Record<string, unknown>>;
  if (version !== FRAMING_VERSION) return undefined;
  if (channel !== undefined && typeof channel !== 'number') return undefined;
  switch (type) {
    case 'fleetglass:mute':
    case 'fleetglass:unmute':
      return { kind: 'sound', isOn: type === 'fleetglass:unmute', channel, id };
    case 'fleetglass:snapshot':
      return { kind: 'snapshot', format: format === 'jpeg' ? 'jpeg' : 'png', channel, id };
    default:
      return undefined;
  }
}

/** The part of TilePlayer that requests are about. */
export interface FramedPlayer {
  setSound(isOn: boolean): void;
  snapshot(format: SnapshotFormat): Promise<Snapshot | undefined>;
}

/** Carries out a request for its channel; without one, for all channels (sound) or for the first (snapshot). */
export async function answerFramingRequest(
  request: FramingRequest,
  players: ReadonlyMap<number, FramedPlayer>,
): Promise<FramingAnswer> {
  const { channel, id } = request;
  const answer = { type: 'fleetglass:answer', version: FRAMING_VERSION, id } as const;
  const addressed = [...players].filter(([each]) => channel === undefined || each === channel);
  const [first] = addressed;
  if (first === undefined) return { ...answer, ok: false, error: 'no-such-channel' };
  if (request.kind === 'sound') {
    // One vehicle's channels all at once would be noise: without a channel, the first one is heard.
    const changed = request.isOn ? [first] : addressed;
    for (const [, player] of changed) player.setSound(request.isOn);
    return { ...answer, ok: true };
  }
  const taken = await first[1].snapshot(request.format);
  if (taken === undefined) return { ...answer, ok: false, error: 'no-picture' };
  const { image, size, deviceTimeMs } = taken;
  return { ...answer, ok: true, snapshot: { channel: first[0], image, ...size, deviceTimeMs } };
}
