import { describe, expect, it } from 'vitest';
import {
  bytesOfDigits,
  digitsOfTime,
  GMT_PLUS_8_MS,
  timeOfDigits,
} from '../../../../../../server/device/jt808/codec/bcd.ts';
import { AlarmBit, acknowledgedAlarms, hasBit, MessageId } from '../../../../../../server/device/jt808/codec/codes.ts';
import { Reader, Writer } from '../../../../../../server/device/jt808/codec/fields.ts';
import { FrameSplitter } from '../../../../../../server/device/jt808/codec/frame.ts';
import { decodeGbk, encodeEchoed, encodeGbk } from '../../../../../../server/device/jt808/codec/gbk.ts';
import { decodeBody, decodeMessage } from '../../../../../../server/device/jt808/codec/message.ts';
import {
  Parameter,
  parameterItem,
  parameterValue,
} from '../../../../../../server/device/jt808/codec/parameterValues.ts';
import { positionDetails } from '../../../../../../server/device/jt808/codec/positionItems.ts';
import { charactersBeyondGbk } from '../../../../../../shared/protocol/codec/gbk.ts';
import { wallMs } from '../../../../../../shared/protocol/time.ts';
import { hexOf, ofHex, vectorNamed } from './vectors.ts';

describe('GBK', () => {
  it('goes both ways', () => {
    expect(hexOf(encodeGbk('测A1234'))).toBe('b2e24131323334');
    expect(decodeGbk(ofHex('b2e24131323334'))).toBe('测A1234');
  });

  it('encodes every character that two bytes decode to', () => {
    const texts: string[] = [];
    for (let lead = 0x81; lead <= 0xfe; lead++) {
      for (let trail = 0x40; trail <= 0xfe; trail++) texts.push(decodeGbk(Uint8Array.of(lead, trail)));
    }
    const characters = texts.filter((text) => [...text].length === 1 && text !== '\ufffd');
    expect(characters.length).toBeGreaterThan(21_000);
    expect(characters.filter((each) => decodeGbk(encodeGbk(each)) !== each)).toEqual([]);
  });

  it('has a question mark for what it does not have, and never grows', () => {
    expect(hexOf(encodeGbk('a😀b'))).toBe('613f62');
    expect(hexOf(encodeGbk('5 €, ǿ'))).toBe('35203f2c203f');
  });

  it('gives a terminal the names back that it has given, byte for byte', () => {
    expect(hexOf(encodeEchoed(decodeGbk(ofHex('3580b2e22e6a7067'))))).toBe('3580b2e22e6a7067');
  });

  it('says which characters it does not have, each once', () => {
    expect(charactersBeyondGbk('测A1·—ß')).toEqual(['ß']);
    expect(charactersBeyondGbk('€ 😀 € é ü ñ ﷼ \ue000')).toEqual(['€', '😀', 'ñ', '﷼', '\ue000']);
    expect(charactersBeyondGbk('繁體中文 日本語 カタカナ Привет Ω')).toEqual([]);
  });
});

describe('BCD times', () => {
  it('are those of China', () => {
    expect(timeOfDigits('261121120506', GMT_PLUS_8_MS)).toBe(Date.UTC(2026, 10, 21, 4, 5, 6));
    expect(digitsOfTime(wallMs(Date.UTC(2026, 11, 31, 16, 0, 0)), GMT_PLUS_8_MS)).toBe('270101000000');
  });

  it('are none for zeros, other digits and days that do not exist', () => {
    for (const digits of ['000000000000', '26112112050a', '260230000000', '261301000000', '261121246000', '2611']) {
      expect(timeOfDigits(digits, 0)).toBeUndefined();
    }
    expect(digitsOfTime(undefined, 0)).toBe('000000000000');
  });

  it('have two digits for the year', () => {
    expect(timeOfDigits('991231235959', 0)).toBe(Date.UTC(2099, 11, 31, 23, 59, 59));
    expect(() => digitsOfTime(wallMs(Date.UTC(2100, 0, 1)), 0)).toThrow(RangeError);
    expect(() => digitsOfTime(wallMs(Number.NaN), 0)).toThrow(RangeError);
  });

  it('are not built from digits that are none', () => {
    expect(() => bytesOfDigits('12x4')).toThrow(RangeError);
    expect(() => bytesOfDigits('123')).toThrow(RangeError);
  });
});

describe('Reader and Writer', () => {
  it('a read past the end fails once, and gives nothing from then on', () => {
    const reader = new Reader(Uint8Array.of(1, 2, 3), '2013');
    expect([reader.uint(2), reader.uint(2), reader.uint(1)]).toEqual([0x0102, 0, 0]);
    expect(reader.bytes(4_294_967_295)).toHaveLength(0);
    expect([reader.reason, reader.remaining]).toEqual(['short read at 2: 2 of 1 bytes', 0]);
  });

  it('a value that does not fit is a mistake', () => {
    const writer = new Writer('2013');
    for (const value of [-1, 256, 1.5, Number.NaN]) expect(() => writer.uint(1, value)).toThrow(RangeError);
    writer.uint(4, 0xffffffff);
    expect(hexOf(writer.finish())).toBe('ffffffff');
  });
});

describe('codes', () => {
  it('have one id each', () => {
    const ids = Object.values(MessageId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('say which alarms an acknowledgement clears', () => {
    expect(acknowledgedAlarms('2013')).toBe(0x98700009);
    expect(acknowledgedAlarms('2019')).toBe(0x18700001);
    expect(hasBit(acknowledgedAlarms('2013'), AlarmBit.IllegalDoorOpening)).toBe(true);
  });
});

describe('items of a position', () => {
  const detail = (id: number, hex: string) => positionDetails([{ id, value: ofHex(hex) }]);

  it('are understood in the lengths of the standard alone', () => {
    expect(detail(0x01, '00000e3e')).toEqual({ mileageKm: 364.6 });
    expect(detail(0x01, '0e3e')).toEqual({});
    expect(detail(0x17, '01')).toEqual({});
    expect(detail(0x99, '01')).toEqual({});
  });

  it('have their own forms', () => {
    expect(detail(0x05, '01'.repeat(30))).toEqual({ tyrePressures: Array.from({ length: 30 }, () => 1) });
    expect(detail(0x06, '8005')).toEqual({ cabinCelsius: -5 });
    expect(detail(0x06, '0019')).toEqual({ cabinCelsius: 25 });
    expect(detail(0x11, '00')).toEqual({ overspeed: { areaType: 0 } });
    expect(detail(0x18, '0005')).toEqual({ abnormalDriving: { types: 5 } });
    expect(detail(0x18, '00012a')).toEqual({ abnormalDriving: { types: 1, fatigue: 42 } });
    expect(detail(0x2b, '00020001')).toEqual({ analogue: [1, 2] });
    expect(detail(0x15, '80000001')).toEqual({ videoLostBits: 0x80000001 });
  });

  it('are no alarms where all bits are set, also those without a meaning', () => {
    expect(detail(0x14, 'ffffffff')).toEqual({});
    expect(detail(0x18, 'ffffff')).toEqual({});
    expect(detail(0x14, '000000ff')).toEqual({ videoAlarms: 0xff });
  });

  it('count from the last of an id', () => {
    expect(
      positionDetails([
        { id: 0x30, value: ofHex('01') },
        { id: 0x30, value: ofHex('02') },
      ]),
    ).toEqual({ radioSignal: 2 });
  });
});

describe('values of parameters', () => {
  const dump = () => {
    const [event] = new FrameSplitter().push(ofHex(vectorNamed('0104-query-params-reply-2013-yezhihao-2').hex));
    const result = event?.kind === 'frame' ? decodeMessage(event.bytes) : undefined;
    if (result?.ok !== true || result.message.body.kind !== 'parametersReply') throw new Error('no dump');
    return result.message.body.items;
  };

  it('are read by name', () => {
    expect(parameterValue(dump(), 'avSettings', '2013')).toEqual({
      live: { mode: 1, resolution: 1, keyFrameInterval: 1, framesPerSecond: 1, bitRateKbps: 1 },
      stored: { mode: 2, resolution: 2, keyFrameInterval: 2, framesPerSecond: 2, bitRateKbps: 2 },
      osd: 3,
      audioOutput: 3,
    });
    expect(parameterValue(dump(), 'heartbeatSeconds', '2013')).toBeUndefined();
  });

  it('are undefined where they have another length', () => {
    expect(parameterValue([{ id: 1, value: ofHex('0001') }], 'heartbeatSeconds', '2013')).toBeUndefined();
    expect(parameterValue([{ id: 1, value: ofHex('0000000100') }], 'heartbeatSeconds', '2013')).toBeUndefined();
  });

  it('come back as they were written', () => {
    const table = {
      audioVideo: [{ physicalChannel: 1, logicalChannel: 1, type: 0, ptz: 1 }],
      audio: [],
      video: [{ physicalChannel: 2, logicalChannel: 2, type: 2, ptz: 0 }],
    };
    const items = [
      parameterItem('heartbeatSeconds', 60, '2019'),
      parameterItem('mainServer', '车队.example:7808', '2019'),
      parameterItem('channelTable', table, '2019'),
    ];
    expect(items.map(({ id }) => id)).toEqual([0x0001, 0x0013, 0x0076]);
    expect(parameterValue(items, 'heartbeatSeconds', '2019')).toBe(60);
    expect(parameterValue(items, 'mainServer', '2019')).toBe('车队.example:7808');
    expect(parameterValue(items, 'channelTable', '2019')).toEqual(table);
  });

  it('have one id each', () => {
    const ids = Object.values(Parameter).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are sent in a message', () => {
    const body = { kind: 'setParameters', items: [parameterItem('heartbeatSeconds', 60, '2013')] } as const;
    expect(decodeBody(MessageId.setParameters, '2013', ofHex('0100000001040000003c'))).toMatchObject({
      ok: true,
      body,
    });
  });
});
