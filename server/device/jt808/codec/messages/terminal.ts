// Control, attributes and firmware of the terminal itself.
import type { Edition } from '../codes.ts';
import {
  countedText,
  digits,
  type Field,
  layout,
  paddedText,
  type Reader,
  restText,
  tryRead,
  u8,
  u16,
  u32,
  type Value,
  Writer,
} from '../fields.ts';

/**
 * `command`: 1 wireless upgrade, 2 connect, 3 power off, 4 reset, 5 factory settings, 6 close the data link, 7 close the radio.
 * `parameter`: fields separated by semicolons, numbers in decimal; an empty field stays empty.
 */
const terminalControl = layout({ command: u8, parameter: restText });

/** Widths of manufacturer, model and terminal id. The 2019 edition is read in three ways, and real terminals in two. */
type AttributesLayout = '5/20/7' | '5/30/30' | '11/30/30' | '5/20/30';

function attributesOf(manufacturer: number, model: number, terminalId: number) {
  return layout({
    /** Bits: 0 passenger, 1 dangerous goods, 2 freight, 3 taxi, 6 disk recording, 7 split unit, 8 trailer. */
    terminalType: u16,
    manufacturer: paddedText(manufacturer),
    model: paddedText(model),
    terminalId: paddedText(terminalId),
    iccid: digits(10),
    hardwareVersion: countedText(u8),
    firmwareVersion: countedText(u8),
    /** Bits: 0 GPS, 1 BeiDou, 2 GLONASS, 3 Galileo. */
    gnss: u8,
    /** Bits: 0 GPRS, 1 CDMA, 2 TD-SCDMA, 3 WCDMA, 4 CDMA2000, 5 TD-LTE, 7 other. */
    communication: u8,
  });
}

const ATTRIBUTES = {
  '5/20/7': attributesOf(5, 20, 7),
  '5/30/30': attributesOf(5, 30, 30),
  '11/30/30': attributesOf(11, 30, 30),
  '5/20/30': attributesOf(5, 20, 30),
} as const;

const ATTRIBUTES_TRIED = {
  '2013': ['5/20/7', '5/30/30', '11/30/30', '5/20/30'],
  '2019': ['5/30/30', '11/30/30', '5/20/30', '5/20/7'],
} as const;

export interface TerminalAttributes extends Value<ReturnType<typeof attributesOf>> {
  readonly layout: AttributesLayout;
}

const attributesReply: Field<TerminalAttributes> = {
  read(from) {
    const chosen = attributesLayoutOf(from);
    return { layout: chosen, ...ATTRIBUTES[chosen].read(from) };
  },
  write: (to, value) => ATTRIBUTES[value.layout].write(to, value),
};

/** The layout that needs the body to its last byte; where none does, the edition's own. */
function attributesLayoutOf(from: Reader): AttributesLayout {
  const tried = ATTRIBUTES_TRIED[from.edition];
  const exact = tried.find((each) => tryRead(ATTRIBUTES[each], from.peek(), from.edition)?.left === 0);
  return exact ?? tried[0];
}

interface UpgradePackage {
  /** 0 terminal, 12 card reader, 52 GNSS module. */
  readonly type: number;
  readonly manufacturer: string;
  readonly version: string;
  readonly data: Uint8Array;
}

/** What precedes the data. */
export interface UpgradeHead extends Omit<UpgradePackage, 'data'> {
  readonly dataBytes: number;
  /** 5 as the standard has it; some terminals of 2019 take 11. */
  readonly manufacturerBytes: 5 | 11;
}

function upgradeHeadOf(manufacturerBytes: number) {
  return layout({ type: u8, manufacturer: paddedText(manufacturerBytes), version: countedText(u8) });
}

const UPGRADE_HEADS = { 5: upgradeHeadOf(5), 11: upgradeHeadOf(11) } as const;
const upgradeHead = UPGRADE_HEADS[5];

/** Throws a RangeError for values that don't fit. */
export function encodeUpgradeHead(head: UpgradeHead, edition: Edition): Uint8Array {
  const to = new Writer(edition);
  UPGRADE_HEADS[head.manufacturerBytes].write(to, head);
  u32.write(to, head.dataBytes);
  return to.finish();
}

const upgradePackage: Field<UpgradePackage> = {
  read(from) {
    const head = upgradeHead.read(from);
    return { ...head, data: from.bytes(u32.read(from)) };
  },
  write(to, value) {
    upgradeHead.write(to, value);
    u32.write(to, value.data.length);
    to.bytes(value.data);
  },
};

type VehicleControl =
  /** 2013: bit 0 locks the doors, 0 unlocks them. */
  | { readonly form: 'flags'; readonly flags: number }
  /** 2019: for type 1, the doors, value 0 locks and 1 opens. `countBytes`: what precedes the items. */
  | { readonly form: 'items'; readonly countBytes: 0 | 1 | 2; readonly items: readonly VehicleControlItem[] }
  /** A vendor's types, whose values have widths of their own. */
  | { readonly form: 'raw'; readonly bytes: Uint8Array };

const vehicleControlItem = layout({ type: u16, value: u8 });
type VehicleControlItem = Value<typeof vehicleControlItem>;
const ITEM_BYTES = 3;

/** The standard counts the items in two bytes; one byte and none at all are in use too. The body's length tells. */
const vehicleControl: Field<{ readonly control: VehicleControl }> = {
  read(from) {
    if (from.edition === '2013') return { control: { form: 'flags', flags: u8.read(from) } };
    const body = from.peek();
    const countBytes = ([2, 1, 0] as const).find((each) => countOf(body, each) * ITEM_BYTES + each === body.length);
    if (countBytes === undefined || body.length === 0) return { control: { form: 'raw', bytes: from.rest() } };
    from.bytes(countBytes);
    const items: VehicleControlItem[] = [];
    while (from.remaining >= ITEM_BYTES) items.push(vehicleControlItem.read(from));
    return { control: { form: 'items', countBytes, items } };
  },
  write(to, { control }) {
    switch (control.form) {
      case 'flags':
        u8.write(to, control.flags);
        break;
      case 'items':
        if (control.countBytes > 0) to.uint(control.countBytes === 2 ? 2 : 1, control.items.length);
        for (const item of control.items) vehicleControlItem.write(to, item);
        break;
      case 'raw':
        to.bytes(control.bytes);
        break;
    }
  },
};

function countOf(body: Uint8Array, countBytes: 0 | 1 | 2): number {
  if (countBytes === 0) return Math.floor(body.length / ITEM_BYTES);
  const [high = 0, low = 0] = body;
  return countBytes === 1 ? high : high * 256 + low;
}

export const terminalMessages = {
  terminalControl,
  attributesReply,
  upgradePackage,
  /** Result: 0 done, 1 failed, 2 cancelled. */
  upgradeResult: layout({ type: u8, result: u8 }),
  vehicleControl,
};
