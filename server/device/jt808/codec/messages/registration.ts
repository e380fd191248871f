// 0x0100 and 0x8100.
import { type Field, layout, paddedText, type Reader, restText, u8, u16, type Value } from '../fields.ts';

type RegistrationLayout = '2011' | '2013' | '2019';

const WIDTHS = {
  '2011': { manufacturer: 5, model: 8, terminalId: 7 },
  '2013': { manufacturer: 5, model: 20, terminalId: 7 },
  /** The manufacturer's code stands behind a region code. */
  '2019': { manufacturer: 11, model: 30, terminalId: 30 },
} as const satisfies Record<RegistrationLayout, unknown>;

function registrationOf({ manufacturer, model, terminalId }: (typeof WIDTHS)[RegistrationLayout]) {
  return layout({
    province: u16,
    city: u16,
    manufacturer: paddedText(manufacturer),
    model: paddedText(model),
    terminalId: paddedText(terminalId),
    /** 1 blue, 2 yellow, 3 black, 4 white, 9 other; 0: no plate, the text is a VIN. */
    plateColour: u8,
    plate: restText,
  });
}

const LAYOUTS = {
  '2011': registrationOf(WIDTHS['2011']),
  '2013': registrationOf(WIDTHS['2013']),
  '2019': registrationOf(WIDTHS['2019']),
} as const;

export interface Registration extends Value<ReturnType<typeof registrationOf>> {
  readonly layout: RegistrationLayout;
}

const registration: Field<Registration> = {
  read(from) {
    const chosen = layoutOf(from);
    return { layout: chosen, ...LAYOUTS[chosen].read(from) };
  },
  write: (to, value) => LAYOUTS[value.layout].write(to, value),
};

const COLOR_AT_2011 = 24;
const COLOR_AT_2013 = 36;
const MAX_COLOR = 9;

/** A 2011 body comes in the same header as a 2013 one. It is shorter, unless a VIN stands in it. */
function layoutOf(from: Reader): RegistrationLayout {
  if (from.edition === '2019') return '2019';
  const body = from.peek();
  const isColor = (at: number): boolean => (body[at] ?? MAX_COLOR + 1) <= MAX_COLOR;
  if (body.length <= COLOR_AT_2013) return '2011';
  return !isColor(COLOR_AT_2013) && isColor(COLOR_AT_2011) ? '2011' : '2013';
}

/** The code is there only with result 0 (RegistrationResult). */
interface RegistrationReply {
  readonly replySerial: number;
  readonly result: number;
  readonly code?: string;
}

const registrationReply: Field<RegistrationReply> = {
  read(from) {
    const reply = { replySerial: u16.read(from), result: u8.read(from) };
    return reply.result === 0 ? { ...reply, code: restText.read(from) } : reply;
  },
  write(to, value) {
    u16.write(to, value.replySerial);
    u8.write(to, value.result);
    if (value.result === 0) restText.write(to, value.code ?? '');
  },
};

export const registrationMessages = { registration, registrationReply };
