// What a device's data plan leaves it, once it is used up.
import type { StreamQuality } from '../../media/channelKey.ts';

/** Why video is asked for. What an event has asked for passes where a plan allows no more than that. */
type StreamPurpose = 'viewer' | 'recorder' | 'playback' | 'event';

export type PlanAnswer = { readonly ok: true } | { readonly ok: false; readonly reason: PlanRefusal };

/** Codes of answers: pages have a text for each. */
export type PlanRefusal = 'plan-sub-stream' | 'plan-events-only' | 'plan-no-video' | 'plan-no-transfers';

export interface PlanGate {
  mayStream(deviceId: string, quality: StreamQuality | 'any', purpose: StreamPurpose): PlanAnswer;
  /** Sync and firmware. `bytes`: as many have to be left; 0: any. */
  mayTransfer(deviceId: string, bytes: number): PlanAnswer;
  /** Told whenever answers for a device may have changed. Returns its own removal. */
  subscribe(listener: (deviceId: string) => void): () => void;
}

/** For parts that run without data plans. */
export const NO_PLANS: PlanGate = {
  mayStream: () => ({ ok: true }),
  mayTransfer: () => ({ ok: true }),
  subscribe: () => () => undefined,
};
