import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailOf } from '../../../../../server/notify/senders/smtp/mailOf.ts';
import { isMailAddress } from '../../../../../shared/protocol/notify/mailAddress.ts';
import { anOutgoing } from '../../../../support/notify/outgoing.ts';

describe('a mail address', () => {
  it.each(['ann@example.com', "o'hara+bus/1@mail.example", '早安@例え.jp'])('is %s', (text) => {
    expect(isMailAddress(text)).toBe(true);
  });

  it.each([
    '',
    'ann',
    'a b@c',
    'a@b@c',
    'a,b@c',
    '"a"@b',
    'a(b)@c',
    'all:a@b',
    '<a@b>',
    'a@[127.0.0.1]',
    'a\\@b',
    'a@b\n',
  ])('is not %j', (text) => expect(isMailAddress(text)).toBe(false));

  it('that is taken where it is entered is sent to', () => {
    const settings = { host: 'a', port: 25, security: 'none', username: '', fromAddress: 'a@b', fromName: '' } as const;
    const piece = fc.constantFrom('a', '@', ' ', '"', '(', ':', '[', '\\', '\r\n', '\u007f', 'é', '.', ';');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const address = pieces.join('');
        const mail = mailOf(anOutgoing({ destination: { to: 'address', address } }), settings, 'fleet.example');
        expect(mail !== undefined).toBe(isMailAddress(address));
      }),
    );
  });
});
