// Keeps what became of attempts. Those that end while others are being written are written together after them: with a transaction
// for each, what a busy sender does at once would wait for one commit after the other.
import type { StoreDb } from '../../engine/database.ts';
import { type AttemptRecord, type RecordedAttempt, recordAttempts } from './recordAttempt.ts';

/** Resolves once it is in the database. */
export type RecordAttempt = (record: AttemptRecord) => Promise<RecordedAttempt>;

/** Of attempts that one transaction keeps; more join until it begins. */
interface Group {
  readonly records: AttemptRecord[];
  readonly written: Promise<readonly RecordedAttempt[]>;
}

const LEFT_ALONE: RecordedAttempt = { isTaken: false, repeatId: undefined };

export function createAttemptRecorder(db: StoreDb): RecordAttempt {
  let writing: Promise<unknown> = Promise.resolve();
  let next: Group | undefined;
  const write = (records: readonly AttemptRecord[]): Promise<readonly RecordedAttempt[]> =>
    db.transaction().execute((work) => recordAttempts(work, records));
  const startGroup = (): Group => {
    const records: AttemptRecord[] = [];
    const written = writing.then(() => {
      next = undefined;
      return write(records);
    });
    writing = written.catch(() => undefined);
    return { records, written };
  };
  return async (record) => {
    next ??= startGroup();
    const { records, written } = next;
    const at = records.push(record) - 1;
    try {
      return (await written)[at] ?? LEFT_ALONE;
    } catch (cause) {
      if (records.length === 1) throw cause;
      // Another one of the group may be why.
      const [alone] = await write([record]);
      return alone ?? LEFT_ALONE;
    }
  };
}
