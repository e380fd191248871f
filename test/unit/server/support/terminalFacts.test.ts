import { expect, it } from 'vitest';
import { Pseudonyms } from '../../../../server/support/pseudonyms.ts';
import { scrubbedKind } from '../../../../server/support/terminalFacts.ts';
import { aTerminalKind } from '../../../support/bundle/bundleSources.ts';

const pseudonyms = new Pseudonyms(new Uint8Array(32));
const firmwareOf = (firmwareVersion: string): string =>
  scrubbedKind(aTerminalKind({ firmwareVersion }), pseudonyms).firmwareVersion;

it('keeps what makers call their terminals', () => {
  expect(scrubbedKind(aTerminalKind(), pseudonyms)).toEqual(aTerminalKind());
  expect(scrubbedKind(aTerminalKind({ manufacturer: '' }), pseudonyms).manufacturer).toBe('');
});

it.each(['V1.2.3+20240315', 'T3-V2.0/202403151230', '20240315123000', '2024031512'])(
  'keeps a version: %s',
  (version) => {
    expect(firmwareOf(version)).toBe(version);
  },
);

it.each(['912345678', '0912345678', '13812345678', '89860012345678901234', '2024031512300', '202499151230'])(
  'keeps no number of a SIM, a modem or a customer: %s',
  (number) => {
    expect(firmwareOf(`V1_${number}`)).toBe(`V1_${pseudonyms.of('number', number)}`);
  },
);

it.each(['林美', 'mei@example.com', 'a\nb', 'x'.repeat(65)])('replaces what no maker writes: %s', (text) => {
  expect(firmwareOf(text)).toBe(pseudonyms.of('text', text));
});

it('has nothing else of a row', () => {
  const row = { ...aTerminalKind(), iccid: '89860012345678901234' };
  expect(scrubbedKind(row, pseudonyms)).not.toHaveProperty('iccid');
});
