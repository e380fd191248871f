// Hours of the week, in which something is recorded or a rule applies.
import * as Type from 'typebox/type';
import { closed, type RecordOf } from './records.ts';

const MINUTES_A_DAY = 1_440;
/** Since midnight. */
const Minute = Type.Integer({ minimum: 0, maximum: MINUTES_A_DAY });

/** Hours of some days, on the device's wall clock. */
export const WeekWindow = Type.Object(
  {
    /** 1 Monday to 7 Sunday: the day that the window begins on. */
    days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7, uniqueItems: true }),
    fromMinute: Minute,
    /** One that ends at or before its begin goes on into the next day. */
    toMinute: Minute,
  },
  closed,
);
export type WeekWindow = RecordOf<typeof WeekWindow>;

/** Empty: at any time. */
export const WeekSchedule = Type.Array(WeekWindow, { maxItems: 20 });
export type WeekSchedule = RecordOf<typeof WeekSchedule>;
