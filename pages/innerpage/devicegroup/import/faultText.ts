import { useTranslation } from 'react-i18next';
import type { ImportFault } from '../../../../shared/protocol/api/deviceImport.ts';

/** Why a row is refused, in words, with the column and what stands there. */
export function useFaultText(): (fault: ImportFault) => string {
  const { t } = useTranslation('DeviceGroup');
  const reasons: Readonly<Record<string, (value: string) => string>> = {
    cells: () => t('This row and the first line have different numbers of columns.'),
    required: () => t('This field is required.'),
    'too-long': () => t('Use a shorter text.'),
    'out-of-range': () => t('Enter a smaller number.'),
    'bad-format': (value) => t('"{{value}}" has the wrong format.', { value }),
    'not-allowed': (value) => t('"{{value}}" isn\'t allowed here.', { value }),
    rounded: (value) =>
      t('A spreadsheet rounded "{{value}}". Format the column as text and enter the value again.', { value }),
    taken: (value) => t('"{{value}}" belongs to another device.', { value }),
    unknown: (value) => t('Group "{{value}}" not found, or you don\'t have access to it.', { value }),
    ambiguous: (value) => t('More than one group is named "{{value}}".', { value }),
    'licence-full': (value) => t('The license allows {{value}} devices, and there are as many.', { value }),
    repeated: (value) => t('This device is already on line {{line}}.', { line: value }),
  };
  return ({ column, code, value }) => {
    const text = (reasons[code] ?? (() => t("This value isn't allowed.")))(value);
    return column === '' ? text : `${column}: ${text}`;
  };
}
