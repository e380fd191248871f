import { useTranslation } from 'react-i18next';
import type { ImportFault } from '../../../../shared/protocol/api/deviceImport.ts';
import {
  DEVICE_EDITIONS,
  DEVICE_FIELD_NAMES,
  DEVICE_ICONS,
  MAX_DEVICE_CHANNELS,
} from '../../../../shared/protocol/api/devices.ts';
import { columnOf } from '../../../../shared/protocol/api/imports/deviceColumns.ts';
import { DeviceLimit } from '../../../../shared/protocol/deviceRules.ts';

/** In characters. */
const MAX_DEVICE_ID = 64;
const BITS: ReadonlySet<string> = new Set(['installed', 'ptz', 'talk']);

/** Columns of texts, with the length that each may have. */
const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['deviceid', MAX_DEVICE_ID],
  ['channel_names', DeviceLimit.channelName],
  ...DEVICE_FIELD_NAMES.flatMap((name) => {
    const length = (DeviceLimit as Readonly<Record<string, number>>)[name];
    return length === undefined ? [] : [[columnOf(name) as string, length] as const];
  }),
]);

/** Why a row is refused, in words, with the column and what stands there. */
export function useFaultText(): (fault: ImportFault) => string {
  const { t } = useTranslation('DeviceGroup');
  const formatText = useFormatText();
  const reasons: Readonly<Record<string, (value: string, column: string) => string>> = {
    cells: () => t('This row and the first line have different numbers of columns.'),
    required: () => t('This field is required.'),
    'too-long': (_, column) =>
      column === 'terminal'
        ? t('Use at most 20 digits.')
        : t('Use at most {{max}} characters.', { max: LENGTHS.get(column) ?? MAX_DEVICE_ID }),
    'out-of-range': () => t('Enter a number from 0 to {{max}}.', { max: MAX_DEVICE_CHANNELS }),
    'bad-format': (value, column) =>
      `${t('"{{value}}" has the wrong format.', { value })} ${formatText(column)}`.trim(),
    'not-allowed': (value, column) =>
      `${t('"{{value}}" isn\'t allowed here.', { value })} ${formatText(column)}`.trim(),
    rounded: (value) =>
      t('A spreadsheet rounded "{{value}}". Format the column as text and enter the value again.', { value }),
    taken: (value) => t('"{{value}}" belongs to another device.', { value }),
    shared: (value) => t('Lines {{lines}} of this file have the same terminal number.', { lines: value }),
    unknown: (value) => t('Group "{{value}}" not found, or you don\'t have access to it.', { value }),
    ambiguous: (value) => t('More than one group is named "{{value}}".', { value }),
    'licence-full': (value) => t('The license allows {{value}} devices, and there are as many.', { value }),
    repeated: (value) => t('This device is already on line {{line}}.', { line: value }),
  };
  return ({ column, code, value }) => {
    const text = (reasons[code] ?? (() => t("This value isn't allowed.")))(value, column);
    return column === '' ? text : `${column}: ${text}`;
  };
}

/** What a column takes. */
function useFormatText(): (column: string) => string {
  const { t } = useTranslation('DeviceGroup');
  return (column) => {
    if (BITS.has(column)) return t('Use 0 and 1, one for each channel.');
    switch (column) {
      case 'deviceid':
        return t('Use letters, digits, and signs other than / \\ @ ? and #, without spaces at the ends.');
      case 'terminal':
        return t('Use up to 20 digits, or 12 or 20 hexadecimal digits.');
      case 'channels':
        return t('Enter a number from 0 to {{max}}.', { max: MAX_DEVICE_CHANNELS });
      case 'edition':
        return t('Use {{values}}, or leave it empty.', { values: DEVICE_EDITIONS.join(', ') });
      case 'icon':
        return t('Use {{values}}, or leave it empty.', { values: DEVICE_ICONS.join(', ') });
      case 'time_zone':
        return t('Use a name such as Asia/Taipei.');
      case 'disabled':
      case 'any_media_address':
      case 'channels_from_zero':
        return t('Use 1 or 0.');
      default:
        return t('Use no line breaks or control characters.');
    }
  };
}
