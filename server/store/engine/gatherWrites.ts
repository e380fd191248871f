// Many writes of one thing each, as few transactions: what is asked for while one is under way is written together by the next one.

export interface GatheredWrite<Item> {
  /** All or none, in their order. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  /** Two of one key are never written together. */
  readonly keyOf: (item: Item) => string | number;
  /** Whether an item may be written together with the first one of a transaction. */
  readonly joins?: ((first: Item, other: Item) => boolean) | undefined;
}

/** Keeps one transaction from holding up what others ask of the database. */
const ITEMS_PER_TRANSACTION = 50;

interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** `write` is never under way twice. Where several fail together, each is tried alone, so that none fails for another's fault. */
export function gatherWrites<Item>({
  write,
  keyOf,
  joins = () => true,
}: GatheredWrite<Item>): (item: Item) => Promise<void> {
  let waiting: Waiting<Item>[] = [];
  let writing: Promise<void> | undefined;
  const take = (): Waiting<Item>[] => {
    const keys = new Set<string | number>();
    const part: Waiting<Item>[] = [];
    const left: Waiting<Item>[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      const fits = part.length === 0 || joins(part[0]?.item ?? one.item, one.item);
      const hasRoom = part.length < ITEMS_PER_TRANSACTION && !keys.has(key) && fits;
      (hasRoom ? part : left).push(one);
      // What waits of one key keeps its order.
      keys.add(key);
    }
    waiting = left;
    return part;
  };
  const settle = async (part: readonly Waiting<Item>[]): Promise<void> => {
    try {
      await write(part.map(({ item }) => item));
      for (const { resolve } of part) resolve();
    } catch (error) {
      if (part.length > 1) for (const one of part) await settle([one]);
      else for (const { reject } of part) reject(error);
    }
  };
  const writeAll = async (): Promise<void> => {
    // The calls of one task travel together.
    await Promise.resolve();
    for (let part = take(); part.length > 0; part = take()) await settle(part);
    writing = undefined;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (writing === undefined) writing = writeAll();
    });
}
