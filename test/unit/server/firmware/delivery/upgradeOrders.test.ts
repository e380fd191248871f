import { describe, expect, it } from 'vitest';
import { templateOrder, upgradeOrder, wantsUrl } from '../../../../../server/firmware/delivery/upgradeOrders.ts';
import { IMAGE, MODEL } from './deliveryScene.ts';

const ADDRESS = { url: 'http://192.0.2.1:8080/firmware/x', host: '192.0.2.1', port: 8080, user: 'u', password: 'p' };

describe('the order to fetch an image', () => {
  it('has the eleven fields of command 1', () => {
    expect(upgradeOrder(ADDRESS, IMAGE)).toEqual({
      kind: 'terminalControl',
      command: 1,
      parameter: 'http://192.0.2.1:8080/firmware/x;;u;p;192.0.2.1;8080;;FLGLS;;2.0;60',
    });
  });

  it.each([{ vendor: 'a;b' }, { firmwareVersion: '2;0' }])(
    'is not made of what would begin another field',
    (change) => {
      expect(upgradeOrder(ADDRESS, { ...IMAGE, ...change })).toBeUndefined();
    },
  );
});

describe('the text of a vendor', () => {
  const template = 'FOTA,{url},{version},{bytes},{sha256},{other}';

  it('has its values in their places, and leaves other braces alone', () => {
    expect(templateOrder({ ...MODEL, method: 'text', template }, IMAGE, 'http://x/$&')).toEqual({
      kind: 'text',
      flags: 0,
      text: 'FOTA,http://x/$&,2.0,1000,ab12,{other}',
    });
  });

  it('is passed through with its type', () => {
    const order = templateOrder({ ...MODEL, method: 'passthrough', template: '升{version}' }, IMAGE, '');
    expect(order).toEqual({
      kind: 'passthroughDown',
      type: 0xf0,
      data: Uint8Array.of(0xc9, 0xfd, 0x32, 0x2e, 0x30),
    });
  });

  it('says whether it names an address', () => {
    expect([wantsUrl({ template }), wantsUrl({ template: 'FOTA {version}' })]).toEqual([true, false]);
  });
});
