// Commands to terminals, as the gateway keeps, sends and lists them. Times are milliseconds since the epoch, 0 for none.
import * as Type from 'typebox/type';
import { closed, Flag, Id, IdText, Nullable, OneOf, type RecordOf, ShortText, Text, Timestamp } from './records.ts';

export const DEVICE_ORDERS_PATH = '/api/device/orders';
export const DEVICE_TEXT_PATH = '/api/device/text';
export const DEVICE_QUESTION_PATH = '/api/device/question';
/** What became of a command that the caller has requested. */
export const DEVICE_ORDER_PATH = '/api/device/order';

const ORDER_STATES = [
  /** For its terminal, or for the orders before it. */
  'waiting',
  /** The terminal has not answered yet. */
  'sent',
  'done',
  /** The terminal answered, and said no. */
  'refused',
  'no-answer',
  /** Its time was over, or the device had another terminal, before it was sent. */
  'expired',
  /** It was sent, and nobody knows whether the terminal obeyed: the connection or the gateway ended first. */
  'unknown',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** The kinds of messages that have a name for users. Others are shown as the codec calls them. */
export const ORDER_MESSAGES = ['text', 'question', 'eventSet', 'setParameters', 'confirmAlarm'] as const;

export const ORDER_SORTS = ['created'] as const;
export type OrderSort = (typeof ORDER_SORTS)[number];

export const DeviceOrderRow = Type.Object({
  id: Id,
  deviceid: Text,
  /** Kind of the message. */
  message: Text,
  /** What a driver was shown; '' for other messages. */
  text: Text,
  /** What the driver answered to a question; '' while there is no answer. */
  answer: Text,
  reason: Text,
  /** What the reason is about: the number of an event, for example. */
  reference: Nullable(Type.Integer()),
  /** User name as it was then; '' for what the gateway does by itself. */
  requestedBy: Text,
  state: OneOf(ORDER_STATES, 'unknown'),
  /** The terminal's code, of one that it refused. */
  result: Nullable(Type.Integer()),
  createdAtMs: Timestamp,
  expiresAtMs: Timestamp,
  sentAtMs: Timestamp,
  finishedAtMs: Timestamp,
});
export type DeviceOrderRow = RecordOf<typeof DeviceOrderRow>;

export const DeviceOrderFilters = {
  deviceid: ShortText,
  state: Type.Optional(OneOf(ORDER_STATES)),
};

export const DRIVER_TEXT_MAX = 500;
/** No control characters but line ends, which terminals get as spaces. */
const LINES = '^(?:[^\\u0000-\\u001f\\u007f-\\u009f]|\\r?\\n)*$';

export const DriverText = Type.Object(
  {
    deviceid: ShortText,
    text: Type.String({ minLength: 1, maxLength: DRIVER_TEXT_MAX, pattern: LINES }),
    /** The terminal reads it out too. */
    speech: Flag,
    urgent: Flag,
  },
  closed,
);
export type DriverText = RecordOf<typeof DriverText>;

/** What fits one message to a terminal, in characters of two bytes. */
export const QUESTION_MAX = 120;
export const ANSWER_MAX = 40;
export const ANSWERS_MIN = 2;
export const ANSWERS_MAX = 8;

export const DriverQuestion = Type.Object(
  {
    deviceid: ShortText,
    text: Type.String({ minLength: 1, maxLength: QUESTION_MAX, pattern: LINES }),
    answers: Type.Array(Type.String({ minLength: 1, maxLength: ANSWER_MAX, pattern: LINES }), {
      minItems: ANSWERS_MIN,
      maxItems: ANSWERS_MAX,
    }),
    /** The terminal reads the question out too. */
    speech: Flag,
  },
  closed,
);
export type DriverQuestion = RecordOf<typeof DriverQuestion>;

/** `isOnline`: the terminal is here. Otherwise the command waits for it. */
export const KeptOrder = Type.Object({ order: Id, isOnline: Flag });
export type KeptOrder = RecordOf<typeof KeptOrder>;

export const OrderQuery = Type.Object({ order: IdText }, closed);
export const OrderOutcome = Type.Object({
  order: Id,
  state: OneOf(ORDER_STATES, 'unknown'),
  answer: Text,
  /** 0: no answer. */
  answeredAtMs: Timestamp,
});
export type OrderOutcome = RecordOf<typeof OrderOutcome>;
