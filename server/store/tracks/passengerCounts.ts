import type { StoreDb } from '../engine/database.ts';

/** Passengers counted in a span of the gateway's clock. */
interface PassengerCount {
  readonly incarnation: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly boarded: number;
  readonly alighted: number;
}

export interface PassengerCountStore {
  /** The count of a span is stored once. */
  add(count: PassengerCount): Promise<void>;
}

export function createPassengerCountStore(db: StoreDb): PassengerCountStore {
  return {
    add: async ({ incarnation, fromMs, toMs, boarded, alighted }) => {
      const insert = db
        .insertInto('passenger_count')
        .values({ incarnation, from_ms: fromMs, to_ms: toMs, boarded, alighted });
      await insert
        .onConflict((conflict) => conflict.columns(['incarnation', 'from_ms', 'to_ms']).doNothing())
        .execute();
    },
  };
}
