import { describe, expect, it } from 'vitest';
import { MessageId } from '../../../../../../server/device/jt808/codec/codes.ts';
import { FrameSplitter } from '../../../../../../server/device/jt808/codec/frame.ts';
import { terminalNumber } from '../../../../../../server/device/jt808/codec/header.ts';
import {
  type DecodeResult,
  decodeBody,
  decodeMessage,
  encodeMessage,
  encodeMessages,
  type MessageBody,
} from '../../../../../../server/device/jt808/codec/message.ts';
import { readStoredAreas } from '../../../../../../server/device/jt808/codec/messages/areasReply.ts';
import { playbackSpeedCode } from '../../../../../../server/device/jt808/codec/messages/recordings.ts';
import { read, write } from './bodyHex.ts';
import { hexOf, negativeVectors, ofHex } from './vectors.ts';

const NO_BYTES = new Uint8Array(0);

function frames(hex: string): DecodeResult[] {
  return new FrameSplitter()
    .push(ofHex(hex))
    .flatMap((event) => (event.kind === 'frame' ? [decodeMessage(event.bytes)] : []));
}

function bodyOf(hex: string): MessageBody {
  const [result] = frames(hex);
  if (result?.ok !== true) throw new Error(result?.reason);
  return result.message.body;
}

describe('published broken frames', () => {
  const broken = negativeVectors.filter(({ protocol }) => protocol === 'jt808');
  const hexOfExpected = (start: string): string => {
    const found = broken.filter((vector) => vector.expect.startsWith(start));
    expect(found).toHaveLength(1);
    return found[0]?.hex ?? '';
  };

  it('are all there', () => {
    expect(broken).toHaveLength(9);
  });

  it('with a length field larger than the body are dropped, and their sender is named', () => {
    const [result] = frames(hexOfExpected('check code valid'));
    expect(result).toEqual({
      ok: false,
      fault: 'length',
      reason: 'length field 108, real length 103',
      header: expect.objectContaining({ terminal: { raw: '0030000681090e000000', canonical: '0030000681090e000000' } }),
    });
  });

  it('with fewer parameters than they announce keep what parsed', () => {
    expect(bodyOf(hexOfExpected('0x0104 announces'))).toEqual({
      kind: 'parametersReply',
      replySerial: 4,
      count: 2,
      items: [{ id: 1, value: ofHex('00000001') }],
      tail: NO_BYTES,
    });
  });

  it('cut inside a parameter keep the rest as bytes', () => {
    const body = bodyOf(hexOfExpected('0x0104 cut'));
    expect(body).toMatchObject({ kind: 'parametersReply', items: [], tail: ofHex('00000001') });
  });

  it('with a parameter longer than the body keep the ones before it', () => {
    const body = bodyOf(hexOfExpected('0x0104 whose'));
    expect(body).toMatchObject({
      items: [{ id: 1, value: ofHex('0000000a') }],
      tail: ofHex(`000000130f${Buffer.from('www.baidu.com').toString('hex')}`),
    });
  });

  it('with wider vendor items keep the position, the items before them and the rest as bytes', () => {
    const wide = bodyOf(hexOfExpected('0x0200 with vendor items'));
    expect(wide).toMatchObject({
      kind: 'position',
      latitude: 12.222222,
      longitude: 132.444444,
      items: [{ id: 1 }, { id: 2 }],
    });
    expect(wide.kind === 'position' && wide.tail.length).toBe(108 - 28 - 6 - 4);
    const vendor = bodyOf(hexOfExpected('0x0200 with a vendor item'));
    expect(vendor).toMatchObject({ kind: 'position', latitude: -27.455656, tail: { length: 46 - 36 } });
  });

  it('of 2013 with the identity card of 2019 are taken by what is left', () => {
    const body = bodyOf(hexOfExpected('0x0702'));
    expect(body).toMatchObject({
      kind: 'driverIdentity',
      status: 1,
      card: { name: '你好', licence: '416756199006054349', identityCard: '416756199006054349' },
    });
  });

  it('that control a vehicle without a count are read as bare items', () => {
    expect(bodyOf(hexOfExpected('2019 0x8500'))).toEqual({
      kind: 'vehicleControl',
      control: { form: 'items', countBytes: 0, items: [{ type: 0x7b, value: 0 }] },
    });
  });

  it('with an empty reply are refused with a reason', () => {
    expect(frames(hexOfExpected('0x8001'))).toMatchObject([
      {
        ok: false,
        fault: 'body',
        reason: 'platformGeneralReply: short read at 0: 2 of 0 bytes',
        header: { messageId: 0x8001 },
      },
    ]);
  });
});

describe('general messages', () => {
  it('take the width of a resend count from the length of the body', () => {
    const expected = { kind: 'platformResendRequest', firstSerial: 5, numbers: [1, 3] };
    for (const edition of ['2013', '2019'] as const) {
      expect(read('platformResendRequest', '0005 02 0001 0003', edition)).toEqual(expected);
      expect(read('platformResendRequest', '0005 0002 0001 0003', edition)).toEqual(expected);
    }
  });

  it('write it as their edition does', () => {
    const body: MessageBody = { kind: 'platformResendRequest', firstSerial: 5, numbers: [1, 3] };
    expect(write(body, '2013')).toBe('00050200010003');
    expect(write(body, '2019')).toBe('0005000200010003');
    expect(() => write({ ...body, numbers: Array.from({ length: 256 }, () => 1) }, '2013')).toThrow(RangeError);
  });

  it('ignore what some terminals put into a heartbeat or behind a reply', () => {
    expect(decodeBody(0x0002, '2013', new Uint8Array(17))).toEqual({
      ok: true,
      body: { kind: 'heartbeat' },
      trailingBytes: 17,
    });
    expect(decodeBody(0x0001, '2013', ofHex('0001810300ffff'))).toMatchObject({ ok: true, trailingBytes: 2 });
  });

  it('tell the time in UTC, and all other times in GMT+8', () => {
    const time = Date.UTC(2026, 10, 21, 4, 5, 6);
    expect(read('timeReply', '261121040506')).toEqual({ kind: 'timeReply', time });
    expect(read('playbackControl', '010500 261121120506')).toMatchObject({ position: time });
  });

  it('keep ids that nobody knows', () => {
    expect(decodeBody(0x0506, '2013', ofHex('0102'))).toEqual({
      ok: true,
      body: { kind: 'unknown', id: 0x0506, bytes: ofHex('0102') },
      trailingBytes: 0,
    });
  });
});

describe('registration', () => {
  const text = (value: string, length: number): string => Buffer.from(value.padEnd(length, '\0')).toString('hex');

  it('of 2011 with a vehicle number of 17 characters is told from 2013 by the colour', () => {
    const hex = `001f0073${text('cd', 5)}${text('MODEL', 8)}${text('T1', 7)}00${text('LSVAG2180E2100001', 17)}`;
    expect(read('registration', hex)).toMatchObject({
      layout: '2011',
      terminalId: 'T1',
      plateColour: 0,
      plate: 'LSVAG2180E2100001',
    });
  });

  it('of 2013 has its own widths', () => {
    const hex = `001f0073${text('cd', 5)}${text('MODEL', 20)}${text('T1', 7)}02${text('A1', 2)}`;
    expect(read('registration', hex)).toMatchObject({
      layout: '2013',
      model: 'MODEL',
      terminalId: 'T1',
      plateColour: 2,
      plate: 'A1',
    });
    expect(write(read('registration', hex))).toBe(hex);
  });

  it('strips the padding on either side', () => {
    const hex = `001f0073${text('\0\0cd', 11)}${text(`${' '.repeat(25)}MODEL`, 30)}${text('T1', 30)}02${text('A1\0\0', 4)}`;
    expect(read('registration', hex, '2019')).toMatchObject({
      manufacturer: 'cd',
      model: 'MODEL',
      terminalId: 'T1',
      plate: 'A1',
    });
  });

  it('is answered with a code only when it succeeds', () => {
    expect(write({ kind: 'registrationReply', replySerial: 1, result: 0, code: 'abc' })).toBe('000100616263');
    expect(write({ kind: 'registrationReply', replySerial: 1, result: 3, code: 'abc' })).toBe('000103');
    expect(read('registrationReply', '0001 03 616263')).toEqual({
      kind: 'registrationReply',
      replySerial: 1,
      result: 3,
    });
  });
});

describe('authentication', () => {
  it('of 2019 may end after the code', () => {
    expect(read('authentication', '03616263', '2019')).toEqual({ kind: 'authentication', code: 'abc' });
    expect(read('authentication', '03616263 3131', '2019')).toEqual({ kind: 'authentication', code: 'abc' });
  });

  it('of 2019 is refused where the code is cut', () => {
    expect(decodeBody(0x0102, '2019', ofHex('09616263'))).toMatchObject({ ok: false });
  });

  it('of 2013 is all code, without zeros behind it', () => {
    expect(read('authentication', '6162630000')).toEqual({ kind: 'authentication', code: 'abc' });
  });
});

describe('position', () => {
  const BASIC = '00000000 00000000 01312d00 02625a00 0000 0000 0000 261121120000';

  it('has the signs of its status bits, and writes them', () => {
    const south = read('position', BASIC.replace('00000000 00000000', '00000000 0000000e'));
    expect(south).toMatchObject({ latitude: -20, longitude: -40 });
    expect(write({ ...south, latitude: 20 })).toContain('0000000a');
    expect(write({ ...read('position', BASIC), longitude: -40 })).toContain('00000008');
  });

  it('on the equator has no sign, and keeps the bit', () => {
    const equator = read('position', BASIC.replace('00000000 00000000 01312d00', '00000000 00000004 00000000'));
    expect(equator.latitude).toBe(0);
    expect(write(equator)).toContain('0000000000000004');
  });

  it('may be below the sea', () => {
    expect(read('position', BASIC.replace('02625a00 0000', '02625a00 ffec'))).toMatchObject({ altitudeMeters: -20 });
  });

  it('may have no time, or one that no calendar has', () => {
    for (const time of ['000000000000', '260231120000', '261121240000', 'ffffffffffff']) {
      expect(read('position', BASIC.replace('261121120000', time)).time).toBeUndefined();
    }
  });

  it('is refused where the basic part is cut', () => {
    expect(decodeBody(0x0200, '2013', ofHex(BASIC.replaceAll(' ', '')).subarray(0, 27))).toMatchObject({ ok: false });
  });

  it('keeps an id that comes twice', () => {
    expect(read('position', `${BASIC} 300101 300102`).items.map(({ value }) => hexOf(value))).toEqual(['01', '02']);
  });

  it('of a bulk upload does not suffer from a broken neighbour', () => {
    const whole = BASIC.replaceAll(' ', '');
    const body = read('bulkPositions', `0004 01 001c${whole} 0003aabbcc 001c${whole} 001caabb`);
    expect(body).toMatchObject({ type: 1, brokenItems: 2 });
    expect(body.positions).toHaveLength(2);
  });

  it('is tracked with a duration, or no longer', () => {
    expect(write({ kind: 'trackControl', intervalSeconds: 5, validSeconds: 60 })).toBe('00050000003c');
    expect(write({ kind: 'trackControl', intervalSeconds: 0 })).toBe('0000');
    expect(read('trackControl', '0000')).toEqual({ kind: 'trackControl', intervalSeconds: 0 });
  });
});

describe('parameters', () => {
  it('skip the runs of zeros in real dumps', () => {
    const body = read('parametersReply', '0001 58 00000001 04 0000003c 0000000000 0000000000 00000055 04 00000064');
    expect(body.items.map(({ id }) => id)).toEqual([0x01, 0x55]);
    expect(body.count).toBe(0x58);
  });
});

describe('terminal messages', () => {
  it('take the attributes in the layout that fits to the last byte', () => {
    for (const [layout, widths] of [
      ['5/30/30', 65],
      ['11/30/30', 71],
      ['5/20/30', 55],
      ['5/20/7', 32],
    ] as const) {
      const hex = `0001${'41'.repeat(widths)}${'00'.repeat(10)}01560157 03 20`;
      expect(read('attributesReply', hex, '2019')).toMatchObject({
        layout,
        hardwareVersion: 'V',
        firmwareVersion: 'W',
        gnss: 3,
      });
    }
  });

  it('control a vehicle in the form of its edition', () => {
    const items = [{ type: 1, value: 1 }];
    expect(read('vehicleControl', '0001 0001 01', '2019').control).toEqual({ form: 'items', countBytes: 2, items });
    expect(read('vehicleControl', '01 0001 01', '2019').control).toEqual({ form: 'items', countBytes: 1, items });
    expect(read('vehicleControl', '0001 01', '2019').control).toEqual({ form: 'items', countBytes: 0, items });
    expect(read('vehicleControl', '0001 f001 01020304', '2019').control).toMatchObject({ form: 'raw' });
    for (const countBytes of [0, 1, 2] as const) {
      const body: MessageBody = { kind: 'vehicleControl', control: { form: 'items', countBytes, items } };
      expect(read('vehicleControl', write(body, '2019'), '2019')).toEqual(body);
    }
  });
});

describe('areas', () => {
  const circle = '00000007 0002 00000001 00000002 00000003 0050 0a 0028 0002 6162';
  const area = {
    id: 7,
    attributes: 2,
    latitude: 1,
    longitude: 2,
    radiusMeters: 3,
    speedLimit: { maxSpeedKmh: 80, durationSeconds: 10, nightMaxSpeedKmh: 40 },
    name: 'ab',
  };

  it('have what their attribute bits and their edition say', () => {
    expect(read('setCircles', `0101${circle}`, '2019').areas).toEqual([area]);
    expect(write({ kind: 'setCircles', action: 1, areas: [area] }, '2019')).toBe(`0101${circle}`.replaceAll(' ', ''));
    expect(write({ kind: 'setCircles', action: 1, areas: [area] }, '2013')).toBe(
      `0101${circle}`.replaceAll(' ', '').slice(0, -12),
    );
    expect(write({ kind: 'setCircles', action: 1, areas: [{ ...area, attributes: 0 }] }, '2013')).toHaveLength(2 * 20);
    expect(write({ kind: 'setCircles', action: 1, areas: [{ ...area, attributes: 0 }] }, '2019')).toHaveLength(2 * 24);
  });

  it('are read from an answer with and without the head of the message that set them', () => {
    const stored = [{ shape: 'circle', area }];
    const data = ofHex(circle.replaceAll(' ', ''));
    expect(readStoredAreas(1, data, '2019')).toEqual(stored);
    expect(readStoredAreas(1, Uint8Array.of(0, 1, ...data), '2019')).toEqual(stored);
    expect(readStoredAreas(1, data.subarray(1), '2019')).toBeUndefined();
    expect(readStoredAreas(0, NO_BYTES, '2019')).toEqual([]);
  });

  it('may be a route with night limits', () => {
    const point = '00000001 00000002 00000003 00000004 09 03 0064 0032 0050 0a 0028';
    const body = read('setRoute', `00000009 0000 0001 ${point} 0002 6162`, '2019');
    expect(body).toMatchObject({
      name: 'ab',
      points: [{ times: { maxSeconds: 100, minSeconds: 50 }, speedLimit: { nightMaxSpeedKmh: 40 } }],
    });
    expect(write(body, '2019')).toBe(`0000000900000001${point}00026162`.replaceAll(' ', ''));
  });
});

describe('media', () => {
  it('is acknowledged with nothing behind the id, though a count of zero is understood', () => {
    expect(write({ kind: 'mediaUploadReply', mediaId: 1, missing: [] })).toBe('00000001');
    expect(read('mediaUploadReply', '00000001 00')).toEqual({ kind: 'mediaUploadReply', mediaId: 1, missing: [] });
  });

  it('has ids only when the picture was taken', () => {
    expect(read('takePictureReply', '0001 01')).toEqual({
      kind: 'takePictureReply',
      replySerial: 1,
      result: 1,
      mediaIds: [],
    });
    expect(write({ kind: 'takePictureReply', replySerial: 1, result: 2, mediaIds: [] })).toBe('000102');
  });
});

describe('recordings', () => {
  it('may be none', () => {
    expect(read('resources', '0001 00000000')).toEqual({ kind: 'resources', replySerial: 1, total: 0, items: [] });
  });

  it('have the alarm word in the low half and the video alarms in the high half', () => {
    const hex = '01 000000000000 000000000000 0000000200000001 00 00 00';
    expect(read('queryResources', hex)).toMatchObject({ videoAlarms: 2, alarms: 1, start: undefined });
  });

  it('play at the speeds that have a code', () => {
    expect([1, 2, 4, 8, 16].map(playbackSpeedCode)).toEqual([1, 2, 3, 4, 5]);
    expect([0, 0.5, 3, 32, -1, Number.NaN].map(playbackSpeedCode)).toEqual(Array.from({ length: 6 }, () => undefined));
  });
});

describe('a length of four gigabytes', () => {
  it.each(['upgradePackage', 'compressedUp', 'waybill', 'queryAreas'] as const)('fails %s at once', (kind) => {
    for (const hex of ['ffffffff00', '00ffffffff00', '0000000000000000ffffffff00']) {
      expect(decodeBody(MessageId[kind], '2013', ofHex(hex))).toMatchObject({ ok: expect.any(Boolean) });
    }
    expect(decodeBody(MessageId.compressedUp, '2013', ofHex('ffffffff00'))).toMatchObject({ ok: false });
  });
});

describe('encodeMessages', () => {
  const fields = {
    edition: '2019',
    protocolVersion: 1,
    terminal: terminalNumber('13912344323', '2019'),
    serial: 0xffff,
  } as const;
  const upgrade = (bytes: number): MessageBody => ({
    kind: 'upgradePackage',
    type: 0,
    manufacturer: 'fg',
    version: '1',
    data: new Uint8Array(bytes).map((_, at) => at & 0xff),
  });

  it('sends one frame as long as the body fits', () => {
    const body = upgrade(1023 - 12);
    expect(encodeMessages(fields, body)).toEqual([encodeMessage(fields, body)]);
  });

  it('cuts what does not fit, with serials that go on and wrap', () => {
    const body = upgrade(2000);
    expect(() => encodeMessage(fields, body)).toThrow(RangeError);
    const headers = encodeMessages(fields, body).map((frame) => {
      const [result] = frames(hexOf(frame));
      if (result?.ok !== true) throw new Error(result?.reason);
      return result.message.header;
    });
    expect(headers.map(({ serial, part, bodyLength }) => [serial, part, bodyLength])).toEqual([
      [0xffff, { total: 2, number: 1 }, 1023],
      [0, { total: 2, number: 2 }, 12 + 2000 - 1023],
    ]);
  });
});
