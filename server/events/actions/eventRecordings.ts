// Records channels for a while when an event begins, whatever the recording schedule says.
import type { EventAction } from './eventActions.ts';

export interface EventRecordingsDeps {
  readonly record: (deviceId: string, channels: readonly number[], untilMs: number) => Promise<void>;
  readonly hasChannel: (deviceId: string, channel: number) => boolean;
  readonly now: () => number;
}

export function createEventRecordings({ record, hasChannel, now }: EventRecordingsDeps): EventAction {
  return ({ device: { deviceId }, values: { recordChannels, recordSeconds } }) => {
    const channels = recordChannels.filter((channel) => hasChannel(deviceId, channel));
    return channels.length === 0 ? undefined : record(deviceId, channels, now() + recordSeconds * 1_000);
  };
}
