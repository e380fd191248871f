// How a device's channels fare. Pure.
import type { DeviceDetails } from '../../../../shared/protocol/api/fleet.ts';

export type ChannelState = 'live' | 'lost' | 'absent';

export interface ChannelFact {
  /** From 1. */
  readonly channel: number;
  /** `lost`: there is a camera and no picture from it; `absent`: no camera is installed. */
  readonly state: ChannelState;
}

/** A text that does not reach a channel, or is empty, says nothing against it. */
export function channelFacts({
  chn,
  installchs,
  livechs,
}: Pick<DeviceDetails, 'chn' | 'installchs' | 'livechs'>): ChannelFact[] {
  return Array.from({ length: chn }, (_, at) => {
    const state = installchs[at] === '0' ? 'absent' : livechs[at] === '0' ? 'lost' : 'live';
    return { channel: at + 1, state };
  });
}
