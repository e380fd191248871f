// Kinds of terminals, as a support bundle has them. Pure.
import type { CountedTerminalKind } from '../store/devices/terminalKinds.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** What makers call their terminals and firmware. */
const MAKERS_TEXT = /^[\w .+()/-]{0,64}$/;
/** Some firmware calls itself by a number of its SIM, its modem or its customer: telephone numbers have 9 digits at least. */
const LONG_NUMBER = /\d{9,}/g;
/** `2024031512`, `202403151230`, `20240315123000`: when it was built. */
const BUILD_TIME = /^20\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d){0,2}$/;

export function scrubbedKind(kind: CountedTerminalKind, pseudonyms: Pseudonyms): CountedTerminalKind {
  const { manufacturer, model, hardwareVersion, firmwareVersion, edition, channels, devices } = kind;
  const shown = (text: string): string => makersText(text, pseudonyms);
  return {
    manufacturer: shown(manufacturer),
    model: shown(model),
    hardwareVersion: shown(hardwareVersion),
    firmwareVersion: shown(firmwareVersion),
    edition,
    channels,
    devices,
  };
}

function makersText(text: string, pseudonyms: Pseudonyms): string {
  if (!MAKERS_TEXT.test(text)) return pseudonyms.of('text', text);
  return text.replaceAll(LONG_NUMBER, (digits) => (BUILD_TIME.test(digits) ? digits : pseudonyms.of('number', digits)));
}
