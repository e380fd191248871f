import { useTranslation } from 'react-i18next';
import type { ImportFault } from '../../../../shared/protocol/api/devices.ts';

/** Why a row is refused, in words, with the column and what stands there. */
export function useFaultText(): (fault: ImportFault) => string {
  const { t } = useTranslation('DeviceGroup');
  const reasons: Readonly<Record<string, (value: string) => string>> = {
    cells: () => t('The row has more or fewer cells than the first line.'),
    required: () => t('Something is needed here.'),
    'too-long': () => t('This is too long.'),
    'out-of-range': () => t('This is more than there can be.'),
    'bad-format': (value) => t('"{{value}}" is not in the right form.', { value }),
    'not-allowed': (value) => t('"{{value}}" is none of the values that there are.', { value }),
    rounded: (value) =>
      t('"{{value}}" was rounded by a spreadsheet. Format the column as text and type it again.', { value }),
    taken: (value) => t('"{{value}}" belongs to another device.', { value }),
    unknown: (value) => t('There is no group "{{value}}" among those you see.', { value }),
    ambiguous: (value) => t('There is more than one group "{{value}}".', { value }),
    repeated: (value) => t('The same device stands in line {{line}} already.', { line: value }),
  };
  return ({ column, code, value }) => {
    const text = (reasons[code] ?? (() => t('This is not accepted.')))(value);
    return column === '' ? text : `${column}: ${text}`;
  };
}
