// What terminals report and are told, where the bodies have parts that are not always there.
import { describe, expect, it } from 'vitest';
import { type Edition, MessageId } from '../../../../../../server/device/jt808/codec/codes.ts';
import { decodeBody } from '../../../../../../server/device/jt808/codec/message.ts';
import { read, write } from './bodyHex.ts';
import { ofHex } from './vectors.ts';

const BASIC = '00000000 00000002 01312d00 02625a00 0000 0000 0000 261121120000';

function expectRefused(kind: keyof typeof MessageId, hex: string, edition: Edition = '2013'): void {
  expect(decodeBody(MessageId[kind], edition, ofHex(hex.replaceAll(' ', '')))).toEqual({
    ok: false,
    reason: expect.stringContaining(`${kind}: short read`),
  });
}

describe('driver cards', () => {
  const card = `02 b2e2 ${'4131'.padEnd(40, '0')} 01 42 20301231`;

  it('may be taken out: then there is a time and nothing else', () => {
    const body = read('driverIdentity', '02 261121120506');
    expect(body).toEqual({ kind: 'driverIdentity', status: 2, time: Date.UTC(2026, 10, 21, 4, 5, 6) });
    expect(write(body)).toBe('02261121120506');
  });

  it('may not be readable: then there is a result and no card', () => {
    for (const result of [1, 2, 3, 4]) {
      const hex = `012611211205060${result}`;
      expect(read('driverIdentity', hex)).toMatchObject({ status: 1, readResult: result });
      expect(read('driverIdentity', hex)).not.toHaveProperty('card');
      expect(write(read('driverIdentity', hex))).toBe(hex);
    }
  });

  it('have an identity card where 20 bytes are left for it', () => {
    const hex = `01 261121120506 00 ${card}`.replaceAll(' ', '');
    expect(read('driverIdentity', hex).card).toEqual({
      name: '测',
      licence: 'A1',
      issuer: 'B',
      validUntil: '20301231',
    });
    const longer = `${hex}${'3132'.padEnd(40, '0')}`;
    expect(read('driverIdentity', longer, '2019').card?.identityCard).toBe('12');
    expect(write(read('driverIdentity', longer, '2019'), '2019')).toBe(longer);
  });

  it('are refused where the card is cut', () => {
    expectRefused('driverIdentity', '01 261121120506 00 ff b2e2');
    expectRefused('driverIdentity', '01 2611');
  });
});

describe('pictures', () => {
  it('are asked for with twelve bytes', () => {
    const body = {
      kind: 'takePicture',
      channel: 3,
      command: 1,
      seconds: 0,
      save: 0,
      resolution: 0xff,
      quality: 1,
      brightness: 125,
      contrast: 60,
      saturation: 64,
      chroma: 127,
    } as const;
    expect(write(body, '2019')).toBe('03' + '0001' + '0000' + '00' + 'ff' + '01' + '7d' + '3c' + '40' + '7f');
    expect(read('takePicture', write(body, '2019'), '2019')).toEqual(body);
    expectRefused('takePicture', '03 0001 0000 00 ff 01 7d 3c 40');
  });

  it('may be taken without being counted', () => {
    expect(read('takePictureReply', '0001 00')).toEqual({
      kind: 'takePictureReply',
      replySerial: 1,
      result: 0,
      mediaIds: [],
    });
    expectRefused('takePictureReply', '0001 00 0002 00000001');
  });

  it('come behind a position, with the bytes that are left', () => {
    const body = read('mediaUpload', `00000009 00 00 02 03 ${BASIC} ffd8ff`);
    expect(body).toMatchObject({ mediaId: 9, event: 2, channel: 3, position: { latitude: 20, longitude: 40 } });
    expect(body.data).toEqual(ofHex('ffd8ff'));
    expectRefused('mediaUpload', `00000009 00 00 02 03 ${BASIC.slice(0, -2)}`);
  });

  it('that lack more packages than are listed are refused', () => {
    expectRefused('mediaUploadReply', '00000001 03 0001 0002');
  });
});

describe('orders to the driver', () => {
  it('have a type of text in 2019 alone', () => {
    expect(write({ kind: 'text', flags: 0x0c, text: 'ab' }, '2013')).toBe('0c6162');
    expect(write({ kind: 'text', flags: 0x0c, text: 'ab' }, '2019')).toBe('0c016162');
    expect(read('text', '0c', '2013')).toEqual({ kind: 'text', flags: 0x0c, text: '' });
    expectRefused('text', '0c', '2019');
  });

  it('to forget all events end there', () => {
    expect(write({ kind: 'eventSet', type: 0, events: [] })).toBe('00');
    expect(read('eventSet', '00')).toEqual({ kind: 'eventSet', type: 0, events: [] });
    expect(read('eventSet', '00 00')).toEqual({ kind: 'eventSet', type: 0, events: [] });
    expect(write({ kind: 'eventSet', type: 2, events: [] })).toBe('0200');
    expectRefused('eventSet', '02');
    expectRefused('eventSet', '02 02 01 01 61');
  });

  it('may be questions without answers, but not with half of one', () => {
    expect(read('question', '01 01 3f')).toEqual({ kind: 'question', flags: 1, question: '?', answers: [] });
    expect(write({ kind: 'question', flags: 1, question: '?', answers: [{ id: 2, text: 'a' }] })).toBe(
      '01013f02000161',
    );
    expectRefused('question', '01 01 3f 02 0002 61');
  });

  it('confirm one alarm or all of some types', () => {
    const body = { kind: 'confirmAlarm', alarmSerial: 0, types: 0x98700009 } as const;
    expect(write(body)).toBe('000098700009');
    expect(read('confirmAlarm', '000098700009')).toEqual(body);
    expectRefused('confirmAlarm', '0000 987000');
  });
});

describe('reports without much in them', () => {
  it('are read as they are', () => {
    expect(read('passthroughUp', 'f1')).toEqual({ kind: 'passthroughUp', type: 0xf1, data: new Uint8Array(0) });
    expect(read('eventReport', '07')).toEqual({ kind: 'eventReport', id: 7 });
    expect(read('questionAnswer', '0102 07')).toEqual({ kind: 'questionAnswer', replySerial: 0x0102, answerId: 7 });
    expect(read('upgradeResult', '34 02')).toEqual({ kind: 'upgradeResult', type: 52, result: 2 });
    expect(read('passengerFlow', `${'00'.repeat(12)} 0001 0002`)).toEqual({
      kind: 'passengerFlow',
      start: undefined,
      end: undefined,
      boarded: 1,
      alighted: 2,
    });
  });

  it('are refused where they are cut', () => {
    expectRefused('passthroughUp', '');
    expectRefused('eventReport', '');
    expectRefused('questionAnswer', '0102');
    expectRefused('upgradeResult', '34');
    expectRefused('passengerFlow', `${'00'.repeat(12)} 0001 00`);
    expectRefused('mediaEvent', '00000009 00 00 02');
  });
});

describe('parameters by id', () => {
  it('are asked for as many as are counted', () => {
    expect(write({ kind: 'querySomeParameters', ids: [0x50, 0x55] })).toBe('020000005000000055');
    expect(read('querySomeParameters', '00')).toEqual({ kind: 'querySomeParameters', ids: [] });
    expectRefused('querySomeParameters', '02 00000050');
  });

  it('are set with whole items alone, counted right', () => {
    const items = [{ id: 0x50, value: ofHex('00000001') }];
    expect(write({ kind: 'setParameters', items })).toBe('0100000050040000' + '0001');
    expect(() => write({ kind: 'setParameters', items: [{ id: 0x13, value: new Uint8Array(256) }] })).toThrow(
      RangeError,
    );
    expect(() => write({ kind: 'setParameters', items: Array.from({ length: 256 }, () => items).flat() })).toThrow(
      RangeError,
    );
  });
});
