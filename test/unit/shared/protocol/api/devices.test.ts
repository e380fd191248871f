import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../../../shared/api/readRecord.ts';
import { ConnectionTest } from '../../../../../shared/protocol/api/connectionTest.ts';
import {
  BLANK_DEVICE,
  DEVICE_FIELD_NAMES,
  DeviceDetail,
  DeviceFields,
  deviceFieldsOf,
} from '../../../../../shared/protocol/api/devices.ts';
import { faultsOfDevice } from '../../../../../shared/protocol/deviceRules.ts';

describe('the fields of a device', () => {
  it('are blank in BLANK_DEVICE as in a record that says nothing, in the same order', () => {
    expect(readRecord(DeviceFields, {})).toEqual(BLANK_DEVICE);
    expect(DEVICE_FIELD_NAMES).toEqual(Object.keys(DeviceFields.properties));
  });

  it('are taken out of a record that has more', () => {
    const detail = {
      ...readRecord(DeviceDetail, { deviceid: 'A', version: 3 }),
      name: 'Bus',
      group: 7,
      disabled: true,
    };
    expect(deviceFieldsOf(detail)).toEqual({ ...BLANK_DEVICE, name: 'Bus', group: 7, disabled: true });
  });

  it.each(DEVICE_FIELD_NAMES.filter((name) => typeof BLANK_DEVICE[name] === 'string'))(
    'have a rule for what is too long or no value at all: %s',
    (name) => {
      const device = { ...BLANK_DEVICE, name: 'Bus', [name]: 'x'.repeat(2_500) };
      expect(Object.keys(faultsOfDevice(device))).toEqual([name]);
    },
  );

  it('have no fault while they are blank, but for the name', () => {
    expect(faultsOfDevice(BLANK_DEVICE)).toEqual({ name: 'required' });
  });
});

describe('the answer of a connection test', () => {
  const attributes = { result: 'attributes', afterMs: 1.5, manufacturer: 'm', model: 'x', terminalId: 't' };
  const answerOf = (answer: unknown) => readRecord(ConnectionTest, { connected: true, answer }).answer;

  it('is read by its result', () => {
    expect(answerOf({ ...attributes, iccid: 'i', hardware: 'h', firmware: 'f' })).toEqual({
      ...attributes,
      iccid: 'i',
      hardware: 'h',
      firmware: 'f',
    });
    expect(answerOf({ result: 'lost', afterMs: 7 })).toEqual({ result: 'lost', afterMs: 7 });
    expect(answerOf(null)).toBeNull();
  });

  it('that a later gateway gives claims no attributes', () => {
    expect(answerOf({ result: 'busy', afterMs: 7 })).toEqual({ result: 'unsupported', afterMs: 7 });
  });
});
