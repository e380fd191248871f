// Many reads of one row each, combined into few statements: reads requested during a statement are done together by the next one.
import { evenSized } from './evenSized.ts';

/** Keys that fit into a statement beside other parameters, on both engines. */
const KEYS_PER_STATEMENT = 500;

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * `read` is given each key once or more. It never runs twice at a time. A call sees everything that was written before it: it never joins a
 * statement that has begun.
 */
export function gatherReads<Key extends string | number, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  const waiting: Waiting<Key, Value>[] = [];
  let reading: Promise<void> | undefined;
  const readAll = async (): Promise<void> => {
    // The calls of one task are read together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const part = waiting.splice(0, KEYS_PER_STATEMENT);
      try {
        const found = await read(evenSized([...new Set(part.map(({ key }) => key))]));
        for (const { key, resolve } of part) resolve(found.get(key));
      } catch (error) {
        for (const { reject } of part) reject(error);
      }
    }
    reading = undefined;
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (reading === undefined) reading = readAll();
    });
}
