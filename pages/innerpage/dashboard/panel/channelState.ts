// How a device's channels fare. Pure.
import type { DeviceDetails } from '../../../../shared/protocol/api/fleet.ts';

export type ChannelState = 'live' | 'withheld' | 'lost' | 'absent';

export interface ChannelFact {
  /** From 1. */
  readonly channel: number;
  /** `lost`: there is a camera and no picture from it; `absent`: no camera is installed; `withheld`: the device's data plan leaves no video. */
  readonly state: ChannelState;
}

/** A text that does not reach a channel, or is empty, says nothing against it. */
export function channelFacts({
  chn,
  installchs,
  livechs,
  planVideo,
}: Pick<DeviceDetails, 'chn' | 'installchs' | 'livechs' | 'planVideo'>): ChannelFact[] {
  return Array.from({ length: chn }, (_, at) => {
    const isWithheld = planVideo === 'none';
    const present = livechs[at] === '0' ? 'lost' : isWithheld ? 'withheld' : 'live';
    return { channel: at + 1, state: installchs[at] === '0' ? 'absent' : present };
  });
}
