// What is recorded of devices: their own policies, and the one of all devices without one.
import * as Type from 'typebox/type';
import { Count, closed, Nullable, OneOf, type RecordOf } from './records.ts';
import { WeekSchedule } from './weekWindows.ts';

export const COMMON_RECORDING_PATH = '/api/devicegroup/recording';

export const RecordingPolicy = Type.Object(
  {
    mode: OneOf(['off', 'always', 'ignition']),
    quality: OneOf(['main', 'sub']),
    schedule: WeekSchedule,
    /** 0: no limit of its own. */
    retentionDays: Type.Integer({ minimum: 0, maximum: 36_500 }),
  },
  closed,
);
export type RecordingPolicy = RecordOf<typeof RecordingPolicy>;

/** What holds for devices without a recording of their own; also the body that changes it. */
export const CommonRecording = Type.Object(
  {
    policy: RecordingPolicy,
    /** 0 until an administrator has set it: the gateway's configuration says it then. */
    version: Count,
  },
  closed,
);
export type CommonRecording = RecordOf<typeof CommonRecording>;

const ChannelRecording = Type.Object(
  { channel: Type.Integer({ minimum: 1, maximum: 32 }), policy: RecordingPolicy },
  closed,
);

/** A device's own recording; null and what the list leaves out are inherited. */
export const DeviceRecording = Type.Object(
  { device: Nullable(RecordingPolicy), channels: Type.Array(ChannelRecording, { maxItems: 32 }) },
  closed,
);
export type DeviceRecording = RecordOf<typeof DeviceRecording>;
