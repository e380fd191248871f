// 0x8103, 0x8106 and 0x0104. For the meaning of the values see ../parameterValues.ts.
import { counted, type Field, Reader, u8, u16, u32 } from '../fields.ts';

export interface ParameterItem {
  readonly id: number;
  readonly value: Uint8Array;
}

interface Parameters {
  /** A parameter of several values repeats its id. */
  readonly items: readonly ParameterItem[];
  /** The sender's count; real terminals miscount. */
  readonly count: number;
  /** Bytes after an item that runs past the end. Mostly empty. */
  readonly tail: Uint8Array;
}

const ITEM_HEADER_BYTES = 5;

/** Items to the body's end. Real dumps hold wrong counts, runs of zeros and wrong lengths: none of these makes the other items fail. */
const parameters: Field<Parameters> = {
  read(from) {
    const count = u8.read(from);
    const items: ParameterItem[] = [];
    while (from.remaining >= ITEM_HEADER_BYTES) {
      const ahead = new Reader(from.peek(), from.edition);
      const id = u32.read(ahead);
      const length = u8.read(ahead);
      if (length > ahead.remaining) break;
      from.bytes(ITEM_HEADER_BYTES);
      const value = from.bytes(length);
      if (id !== 0 || length !== 0) items.push({ id, value });
    }
    return { count, items, tail: from.rest() };
  },
  write(to, value) {
    u8.write(to, value.count);
    for (const item of value.items) {
      u32.write(to, item.id);
      u8.write(to, item.value.length);
      to.bytes(item.value);
    }
    to.bytes(value.tail);
  },
};

/** The items that the platform sends: only whole ones, counted right. */
interface ParameterItems {
  readonly items: readonly ParameterItem[];
}

const NO_TAIL = new Uint8Array(0);

const setParameters: Field<ParameterItems> = {
  read: (from) => ({ items: parameters.read(from).items }),
  write: (to, { items }) => parameters.write(to, { count: items.length, items, tail: NO_TAIL }),
};

interface ParametersReply extends Parameters {
  readonly replySerial: number;
}

const parametersReply: Field<ParametersReply> = {
  read: (from) => ({ replySerial: u16.read(from), ...parameters.read(from) }),
  write(to, value) {
    u16.write(to, value.replySerial);
    parameters.write(to, value);
  },
};

const parameterIds = counted(u8, u32);

export const parameterMessages = {
  setParameters,
  parametersReply,
  querySomeParameters: {
    read: (from) => ({ ids: parameterIds.read(from) }),
    write: (to, value) => parameterIds.write(to, value.ids),
  } satisfies Field<{ readonly ids: readonly number[] }>,
};
