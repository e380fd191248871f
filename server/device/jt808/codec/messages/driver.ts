// Who drives, what the vehicle's bus says, and the data that go through without a meaning here.
import {
  bytes,
  countedText,
  digits,
  type Field,
  layout,
  localTime,
  paddedText,
  restBytes,
  tryRead,
  u8,
  u16,
  u32,
  type Value,
} from '../fields.ts';

const cardFields = layout({
  name: countedText(u8),
  licence: paddedText(20),
  issuer: countedText(u8),
  /** `YYYYMMDD`. */
  validUntil: digits(4),
});

export interface DriverCard extends Value<typeof cardFields> {
  /** 2019, and from some terminals with a 2013 header too. */
  readonly identityCard?: string;
}

interface DriverIdentity {
  /** 1 card inserted, 2 card taken out. */
  readonly status: number;
  readonly time: Value<typeof localTime>;
  /** 0 read, 1 not authenticated, 2 locked, 3 pulled, 4 check failed. */
  readonly readResult?: number;
  readonly card?: DriverCard;
}

const identityCard = paddedText(20);

/** Terminals send the card when it is taken out as well, so what is there decides, not the status. */
const driverIdentity: Field<DriverIdentity> = {
  read(from) {
    const head = { status: u8.read(from), time: localTime.read(from) };
    if (from.remaining === 0) return head;
    const readResult = u8.read(from);
    if (readResult !== 0 || from.remaining === 0) return { ...head, readResult };
    const card = cardFields.read(from);
    const withIdentity = tryRead(identityCard, from.peek(), from.edition) !== undefined;
    return { ...head, readResult, card: withIdentity ? { ...card, identityCard: identityCard.read(from) } : card };
  },
  write(to, value) {
    u8.write(to, value.status);
    localTime.write(to, value.time);
    if (value.readResult === undefined) return;
    u8.write(to, value.readResult);
    if (value.readResult !== 0 || value.card === undefined) return;
    cardFields.write(to, value.card);
    if (value.card.identityCard !== undefined) identityCard.write(to, value.card.identityCard);
  },
};

const canItem = layout({
  /** Bits: 31 channel, 30 extended frame, 29 averaged, 0 to 28 the CAN id. */
  id: u32,
  data: bytes(8),
});

const canFields = layout({ count: u16, receivedAt: digits(5) });

interface CanData {
  /** `hhmmss` and the milliseconds in four digits, when the first item was received. */
  readonly receivedAt: string;
  readonly items: readonly Value<typeof canItem>[];
}

const canData: Field<CanData> = {
  read(from) {
    const { count, receivedAt } = canFields.read(from);
    const items: Value<typeof canItem>[] = [];
    while (items.length < count && from.reason === undefined) items.push(canItem.read(from));
    return { receivedAt, items };
  },
  write(to, value) {
    canFields.write(to, { count: value.items.length, receivedAt: value.receivedAt });
    for (const item of value.items) canItem.write(to, item);
  },
};

/** Types: 0x00 GNSS detail, 0x0B card, 0x41 and 0x42 serial ports, from 0xF0 custom. */
const passthrough = layout({ type: u8, data: restBytes });

interface Sized {
  readonly data: Uint8Array;
}

/** Data behind their length. */
const sized: Field<Sized> = {
  read: (from) => ({ data: from.bytes(u32.read(from)) }),
  write(to, { data }) {
    u32.write(to, data.length);
    to.bytes(data);
  },
};

/** Packets of GB/T 19056, the driving recorder's own protocol. */
const recorder = layout({ command: u8, data: restBytes });

export const driverMessages = {
  driverIdentity,
  canData,
  passthroughUp: passthrough,
  passthroughDown: passthrough,
  compressedUp: sized,
  waybill: sized,
  recorderQuery: recorder,
  recorderSettings: recorder,
  recorderData: layout({ replySerial: u16, command: u8, data: restBytes }),
};
