// Many reads of one row each, as few statements: what is asked for while a statement is under way is read together by the next one.
import { evenSized } from './evenSized.ts';

/** As many keys as a statement has room for beside other parameters, on both engines. */
const KEYS_PER_STATEMENT = 500;

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * `read` is given each key once or more. It is never under way twice. A call sees all that was written before it: it never joins a
 * statement that has begun.
 */
export function gatherReads<Key extends string | number, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  const waiting: Waiting<Key, Value>[] = [];
  let reading: Promise<void> | undefined;
  const readAll = async (): Promise<void> => {
    // The calls of one task travel together.
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
