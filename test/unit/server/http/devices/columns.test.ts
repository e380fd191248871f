import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cellOf, READ_FIELDS, readCell } from '../../../../../server/http/devices/columns.ts';
import { BLANK_DEVICE, DEVICE_FIELD_NAMES, type DeviceFields } from '../../../../../shared/protocol/api/devices.ts';
import { columnOf, IMPORT_COLUMNS } from '../../../../../shared/protocol/api/imports/deviceColumns.ts';

const PATHS = new Map([[4, 'North/Depot']]);
const DEVICE: DeviceFields = {
  ...BLANK_DEVICE,
  name: 'Bus 1',
  plate: 'ABC-1',
  terminal: '13800000001',
  edition: '2019',
  model: 'M1',
  sim: '8986',
  group: 4,
  chn: 4,
  channelNames: ['a|b', '', 'c\\'],
  installchs: '1101',
  ptzchs: '0001',
  talkchs: '1000',
  timeZone: 'Asia/Taipei',
  icon: 'bus',
  notes: ' two\nlines ',
  anyMediaAddress: true,
  channelsFromZero: false,
  disabled: true,
};

describe('the columns of a file of devices', () => {
  it('are those that the contract names, in its order', () => {
    const contract = readFileSync(new URL('../../../../../docs/contract.md', import.meta.url), 'utf8');
    const [, listed = ''] = /^Columns of a file: (.*?)^A missing column/ms.exec(contract) ?? [];
    const named = [...listed.matchAll(/`([a-z_]+)`/g)].map(([, column]) => column);
    expect(IMPORT_COLUMNS).toEqual(named);
  });

  it('have a cell for each field', () => {
    const cells = DEVICE_FIELD_NAMES.map((name) => [columnOf(name), cellOf(DEVICE, name, PATHS)]);
    expect(Object.fromEntries(cells)).toMatchObject({
      name: 'Bus 1',
      plate: 'ABC-1',
      terminal: '13800000001',
      edition: '2019',
      model: 'M1',
      sim: '8986',
      group: 'North/Depot',
      channels: '4',
      channel_names: 'a\\|b||c\\\\',
      installed: '1101',
      ptz: '0001',
      talk: '1000',
      time_zone: 'Asia/Taipei',
      icon: 'bus',
      notes: ' two\nlines ',
      any_media_address: '1',
      channels_from_zero: '0',
      disabled: '1',
    });
    expect(cellOf(BLANK_DEVICE, 'group', PATHS)).toBe('');
  });

  it.each([DEVICE, BLANK_DEVICE])('are read as what was written', (device) => {
    for (const name of READ_FIELDS) expect(readCell(name, cellOf(device, name, PATHS)), name).toEqual(device[name]);
  });

  it.each([
    ['disabled', ' YES ', true],
    ['disabled', '', false],
    ['disabled', 'perhaps', undefined],
    ['chn', '', 0],
    ['chn', '4.0', undefined],
    ['edition', ' 2013 ', '2013'],
    ['edition', '2015', undefined],
    ['icon', 'rocket', undefined],
    ['notes', ' a\r\nb ', ' a\nb '],
    ['plate', ' ABC ', 'ABC'],
  ] as const)('say of %s %j what it can be', (name, cell, value) => {
    expect(readCell(name, cell)).toBe(value);
  });
});
