// 0x0102.
import { countedText, type Field, layout, paddedText, restText, tryRead, u8 } from '../fields.ts';

export interface Authentication {
  readonly code: string;
  /** 2019 only, and not from every terminal. */
  readonly imei?: string;
  readonly softwareVersion?: string;
}

const countedCode = countedText(u8);
const device = layout({ imei: paddedText(15), softwareVersion: paddedText(20) });

const authentication: Field<Authentication> = {
  read(from) {
    if (from.edition === '2013') return { code: restText.read(from) };
    const code = { code: countedCode.read(from) };
    const known = tryRead(device, from.peek(), from.edition);
    return known === undefined ? code : { ...code, ...device.read(from) };
  },
  write(to, value) {
    if (to.edition === '2013') {
      restText.write(to, value.code);
      return;
    }
    countedCode.write(to, value.code);
    if (value.imei === undefined) return;
    device.write(to, { imei: value.imei, softwareVersion: value.softwareVersion ?? '' });
  },
};

export const authenticationMessages = { authentication };
