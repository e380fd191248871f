// Data usage of devices, data plans and SIMs. All calls take `netflow`. Bytes include the overhead of the network as it is configured.
import * as Type from 'typebox/type';
import { LOCALES } from '../../locale.ts';
import { PLAN_ACTIONS } from '../../netflow/netflowWords.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  IdText,
  LineOfText,
  Nullable,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from '../records.ts';

/** GET, with a NetflowUseQuery: a NetflowUse. */
export const NETFLOW_USE_PATH = '/api/netflow/use';
/** GET, with NetflowDeviceFilters: a list of NetflowDevice. */
export const NETFLOW_DEVICES_PATH = '/api/netflow/devices';
/** POST, with a NetflowFile as its query: the list as a file; the answer is a DownloadAddress. */
export const NETFLOW_FILE_PATH = '/api/netflow/file';
/** GET, with a NetflowHoursQuery: a NetflowHours of one device. */
export const NETFLOW_HOURS_PATH = '/api/netflow/hours';
export const SIM_PLANS_PATH = '/api/netflow/plans';
/** PUT, with a SimContent: a NetflowDevice. */
export const SIM_PATH = '/api/netflow/sim';
/** POST, with a LiftRequest: a NetflowDevice. */
export const NETFLOW_LIFT_PATH = '/api/netflow/lift';

export const MAX_SIM_PLANS = 200;
export const NETFLOW_HOURS_KEPT_DAYS = 35;
export const NETFLOW_KEPT_MONTHS = 13;

/** Bytes of each kind, in the order of NETFLOW_KINDS. */
const KindBytes = Type.Array(Count);

const planContent = {
  name: LineOfText(100),
  /** In units of 1,000,000 bytes. */
  megabytes: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
  /** Day of the month; in shorter months the last day. */
  resetDay: Type.Integer({ minimum: 1, maximum: 31 }),
  /** IANA name. */
  timeZone: ShortText,
  /** Free text; nothing is calculated from it. */
  price: LineOfText(60),
  action: OneOf(PLAN_ACTIONS, 'none'),
};
export const SimPlanContent = Type.Object(planContent, closed);
export type SimPlanContent = RecordOf<typeof SimPlanContent>;
export const ChangedSimPlan = Type.Object({ ...planContent, version: Version }, closed);
export type ChangedSimPlan = RecordOf<typeof ChangedSimPlan>;
export const SimPlan = Type.Object({ id: Id, version: Version, ...planContent, devices: Count });
export type SimPlan = RecordOf<typeof SimPlan>;
export const SIM_PLAN_SORTS = ['name', 'megabytes'] as const;

export const SimContent = Type.Object(
  {
    deviceid: ShortText,
    /** Telephone number; '' for unknown. */
    number: LineOfText(30),
    /** ICCID as entered; `reportedIccid` is what the terminal reports. */
    iccid: LineOfText(30),
    /** 0: none. */
    plan: Type.Integer({ minimum: 0 }),
    /** `YYYY-MM-DD`; '' for none. */
    expiryDay: Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' }),
    /** 0 where none was stored. */
    version: Type.Integer({ minimum: 0 }),
  },
  closed,
);
export type SimContent = RecordOf<typeof SimContent>;

export const LiftRequest = Type.Object(
  {
    deviceid: ShortText,
    /** 0 ends it now. */
    hours: Type.Integer({ minimum: 0, maximum: 744 }),
    reason: LineOfText(200),
  },
  closed,
);
export type LiftRequest = RecordOf<typeof LiftRequest>;

export const NetflowDevice = Type.Object({
  deviceid: Text,
  name: Text,
  plate: Text,
  /** Serial number of the device group. */
  group: Id,
  groupName: Text,
  /** The current period: the plan's, or the calendar month without a plan. */
  fromMs: Timestamp,
  toMs: Timestamp,
  /** Zone in which the period begins and ends at midnight: the plan's, or the device's without a plan. */
  timeZone: Text,
  receivedBytes: Count,
  sentBytes: Count,
  kinds: KindBytes,
  todayBytes: Count,
  /** Forecast for the end of the period; null until a day of it is over. */
  forecastBytes: Nullable(Count),
  /** 0 without a plan. */
  plan: Id,
  planName: Text,
  planBytes: Count,
  action: OneOf(PLAN_ACTIONS, 'none'),
  /** The action applies now. */
  isLimited: Flag,
  liftedUntilMs: Timestamp,
  liftedBy: Text,
  simNumber: Text,
  simIccid: Text,
  simExpiryDay: Text,
  /** Version for a SimContent. */
  simVersion: Count,
  /** ICCID that the terminal reports; '' until it has. */
  reportedIccid: Text,
});
export type NetflowDevice = RecordOf<typeof NetflowDevice>;
export const NETFLOW_DEVICE_SORTS = ['name', 'usedBytes', 'todayBytes', 'planShare', 'forecastShare'] as const;
export const NetflowDeviceFilters = {
  /** Serial number, with the groups inside it. */
  group: Type.Optional(IdText),
  /** `near`: 80 % or more of the plan or a forecast above it; `over`: used up. */
  plan: Type.Optional(OneOf(['none', 'within', 'near', 'over'])),
};

const NETFLOW_STEPS = ['hour', 'day', 'month'] as const;
export type NetflowStep = (typeof NETFLOW_STEPS)[number];
/** Half open; at most 35 days by the hour, 400 days otherwise. */
export const NetflowUseQuery = Type.Object(
  {
    fromMs: Type.String({ pattern: '^\\d{1,15}$' }),
    toMs: Type.String({ pattern: '^\\d{1,15}$' }),
    step: OneOf(NETFLOW_STEPS),
    timeZone: ShortText,
    group: Type.Optional(IdText),
    deviceid: Type.Optional(ShortText),
  },
  closed,
);
export const NetflowUse = Type.Object({
  /** The earliest first; steps without use are left out. */
  steps: Type.Array(Type.Object({ fromMs: Timestamp, kinds: KindBytes })),
  /** The devices with the most use in the same time, at most ten. */
  top: Type.Array(Type.Object({ deviceid: Text, name: Text, bytes: Count })),
});
export type NetflowUse = RecordOf<typeof NetflowUse>;

export const NetflowHoursQuery = Type.Object(
  {
    deviceid: ShortText,
    /** `YYYY-MM-DD` in the time zone. */
    day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    timeZone: ShortText,
  },
  closed,
);
export const NetflowHours = Type.Array(Type.Object({ fromMs: Timestamp, received: KindBytes, sent: KindBytes }));
export type NetflowHours = RecordOf<typeof NetflowHours>;

const NETFLOW_FORMATS = ['csv', 'xlsx'] as const;
export const NetflowFile = Type.Object({ format: OneOf(NETFLOW_FORMATS), language: OneOf(LOCALES) }, closed);
export type NetflowFile = RecordOf<typeof NetflowFile>;
